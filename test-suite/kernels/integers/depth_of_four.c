/* Four products at a time.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
void f(int n, int m, int l, int *restrict c, const int *restrict a, const int *restrict b)
{
	for (int i = 0; i < n; i++) {
		int k = 0;
		for (; k + 4 <= l; k += 4) {
			const int p = a[i * l + k], q = a[i * l + k + 1], r = a[i * l + k + 2], s = a[i * l + k + 3];
			const int *row = b + k * m;
			for (int j = 0; j < m; j++)
				c[i * m + j] += p * row[j] + q * row[m + j] + r * row[2 * m + j] + s * row[3 * m + j];
		}
		for (; k < l; k++)
			for (int j = 0; j < m; j++)
				c[i * m + j] += a[i * l + k] * b[k * m + j];
	}
}
