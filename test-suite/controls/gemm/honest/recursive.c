/* The longest side halved.
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
static void g(int n, int m, int l, int w, float *c, const float *a, const float *b)
{
	if (n > 8) {
		g(n / 2, m, l, w, c, a, b);
		g(n - n / 2, m, l, w, c + n / 2 * w, a + n / 2 * l, b);
	} else if (m > 8) {
		g(n, m / 2, l, w, c, a, b);
		g(n, m - m / 2, l, w, c + m / 2, a, b + m / 2);
	} else {
		for (int i = 0; i < n; i++)
			for (int j = 0; j < m; j++) {
				float s = 0;
				for (int k = 0; k < l; k++)
					s += a[i * l + k] * b[k * w + j];
				c[i * w + j] = s;
			}
	}
}
void f(int n, int m, int l, float *c, const float *a, const float *b)
{
	if (!(c + (long)n * m <= a || a + (long)n * l <= c) || !(c + (long)n * m <= b || b + (long)l * m <= c)) {
		plain(n, m, l, c, a, b);
		return;
	}
	g(n, m, l, m, c, a, b);
}
