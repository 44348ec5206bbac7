/* From the other end.
 * fp: reassoc; flags: -O2 -march=native; verdict: equal */
float f(const float *x, const float *y, int n)
{
	float s = 0;
	for (int i = n - 1; i >= 0; i--)
		s += x[i] * y[i];
	return s;
}
