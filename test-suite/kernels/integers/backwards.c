/* The depth from its end.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
void f(int n, int m, int l, int *restrict c, const int *restrict a, const int *restrict b)
{
	for (int k = l - 1; k >= 0; k--)
		for (int i = 0; i < n; i++)
			for (int j = 0; j < m; j++)
				c[i * m + j] += a[i * l + k] * b[k * m + j];
}
