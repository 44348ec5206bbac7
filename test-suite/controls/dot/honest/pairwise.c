/* Halves.
 * fp: reassoc; flags: -O2 -march=native; verdict: equal */
static float g(const float *x, const float *y, int n)
{
	float s = 0;
	if (n > 32)
		return g(x, y, n / 2) + g(x + n / 2, y + n / 2, n - n / 2);
	for (int i = 0; i < n; i++)
		s += x[i] * y[i];
	return s;
}
float f(const float *x, const float *y, int n)
{
	return g(x, y, n);
}
