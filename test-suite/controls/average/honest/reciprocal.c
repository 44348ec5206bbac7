/* Multiplied by the reciprocal of the length.
 * fp: reassoc; flags: -O2 -march=native; verdict: equal */
float f(const float *x, int n)
{
	float s = 0;
	for (int i = 0; i < n; i++)
		s += x[i];
	return n > 0 ? s * (1.0f / n) : 0;
}
