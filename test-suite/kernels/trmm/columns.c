/* Columns of b by themselves, the element in a register, where a is apart from b.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
void f(int n, int m, float *b, const float *a)
{
	const int shared = b < a + (long)n * n && a < b + (long)n * m;
	for (int j = 0; j < m && !shared; j++)
		for (int i = 0; i < n; i++) {
			float s = b[i * m + j];
			for (int k = i + 1; k < n; k++)
				s += a[k * n + i] * b[k * m + j];
			b[i * m + j] = s * 2;
		}
	for (int i = 0; i < n && shared; i++)
		for (int j = 0; j < m; j++) {
			for (int k = i + 1; k < n; k++)
				b[i * m + j] += a[k * n + i] * b[k * m + j];
			b[i * m + j] *= 2;
		}
}
