/* Negative inputs become tiny rather than zero.
 * fp: ordered; flags: -O2 -march=native; verdict: different */
void f(int n, float *x)
{
	for (int i = 0; i < n; i++)
		x[i] = x[i] > 0 ? x[i] : x[i] * 1e-30f;
}
