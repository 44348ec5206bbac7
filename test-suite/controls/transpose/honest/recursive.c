/* The longer side halved.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
static void plain(int n, int m, float *out, const float *in)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < m; j++)
			out[j * n + i] = in[i * m + j];
}
static void g(int n, int m, int w, int v, float *out, const float *in)
{
	if (n <= 4 && m <= 4) {
		for (int i = 0; i < n; i++)
			for (int j = 0; j < m; j++)
				out[j * v + i] = in[i * w + j];
	} else if (n >= m) {
		g(n / 2, m, w, v, out, in);
		g(n - n / 2, m, w, v, out + n / 2, in + n / 2 * w);
	} else {
		g(n, m / 2, w, v, out, in);
		g(n, m - m / 2, w, v, out + m / 2 * v, in + m / 2);
	}
}
void f(int n, int m, float *out, const float *in)
{
	if (!(out + (long)n * m <= in || in + (long)n * m <= out)) {
		plain(n, m, out, in);
		return;
	}
	g(n, m, m, n, out, in);
}
