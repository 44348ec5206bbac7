/* A function that returns more than its loop computes: judged as a whole. */
float f(const float *x, int n)
{
	float s = 0;
	for (int i = 0; i < n; i++)
		s += x[i];
	return n > 0 ? s / n : 0;
}
