/* Sums in registers would be another order: results stay in memory, the depth goes outside.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
void f(int n, int l, double *restrict c, const double *restrict a)
{
	for (int k = 0; k < l; k++)
		for (int i = 0; i < n; i++)
			for (int j = 0; j <= i; j++)
				c[i * n + j] += a[i * l + k] * a[j * l + k];
}
