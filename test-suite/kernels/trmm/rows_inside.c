/* Rows of b added in turn, where a is apart from b.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
static void plain(int n, int m, float *b, const float *a)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < m; j++) {
			for (int k = i + 1; k < n; k++)
				b[i * m + j] += a[k * n + i] * b[k * m + j];
			b[i * m + j] *= 2;
		}
}
void f(int n, int m, float *b, const float *a)
{
	if (b < a + (long)n * n && a < b + (long)n * m) {
		plain(n, m, b, a);
		return;
	}
	for (int i = 0; i < n; i++) {
		for (int k = i + 1; k < n; k++)
			for (int j = 0; j < m; j++)
				b[i * m + j] += a[k * n + i] * b[k * m + j];
		for (int j = 0; j < m; j++)
			b[i * m + j] *= 2;
	}
}
