/* Four rows share what is loaded of b.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
static void plain(int n, int m, int l, float *c, const float *a, const float *b)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < m; j++) {
			float s = 0;
			for (int k = 0; k < l; k++)
				s += a[i * l + k] * b[k * m + j];
			c[i * m + j] = s;
		}
}
void f(int n, int m, int l, float *c, const float *a, const float *b)
{
	if (!(c + (long)n * m <= a || a + (long)n * l <= c) || !(c + (long)n * m <= b || b + (long)l * m <= c)) {
		plain(n, m, l, c, a, b);
		return;
	}
	int i = 0;
	for (; i + 4 <= n; i += 4)
		for (int j = 0; j < m; j++) {
			float s[4] = { 0 };
			for (int k = 0; k < l; k++)
				for (int r = 0; r < 4; r++)
					s[r] += a[(i + r) * l + k] * b[k * m + j];
			for (int r = 0; r < 4; r++)
				c[(i + r) * m + j] = s[r];
		}
	plain(n - i, m, l, c + i * m, a + i * l, b);
}
