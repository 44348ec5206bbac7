/* Pairwise summation.
 * fp: reassoc; flags: -O2 -march=native; verdict: equal */
static float sum(const float *x, int n)
{
	float s = 0;
	if (n > 32)
		return sum(x, n / 2) + sum(x + n / 2, n - n / 2);
	for (int i = 0; i < n; i++)
		s += x[i];
	return s;
}
float f(const float *x, int n) { return n > 0 ? sum(x, n) / n : 0; }
