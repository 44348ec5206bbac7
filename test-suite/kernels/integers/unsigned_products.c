/* Products that wrap, which leave the same bits.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
void f(int n, int m, int l, int *restrict c, const int *restrict a, const int *restrict b)
{
	for (int i = 0; i < n; i++)
		for (int k = 0; k < l; k++) {
			const unsigned factor = (unsigned)a[i * l + k];
			for (int j = 0; j < m; j++)
				c[i * m + j] = (int)((unsigned)c[i * m + j] + factor * (unsigned)b[k * m + j]);
		}
}
