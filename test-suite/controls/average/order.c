/* The order of additions changes where it must not.
 * fp: ordered; flags: -O2 -march=native; verdict: different */
float f(const float *x, int n)
{
	float s = 0;
	for (int i = 0; i < n; i++)
		s += x[n - 1 - i];
	return n > 0 ? s / n : 0;
}
