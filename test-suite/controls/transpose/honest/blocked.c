/* Blocks of eight.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
static void plain(int n, int m, float *out, const float *in)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < m; j++)
			out[j * n + i] = in[i * m + j];
}
void f(int n, int m, float *out, const float *in)
{
	if (!(out + (long)n * m <= in || in + (long)n * m <= out)) {
		plain(n, m, out, in);
		return;
	}
	for (int ii = 0; ii < n; ii += 8)
		for (int jj = 0; jj < m; jj += 8)
			for (int i = ii; i < n && i < ii + 8; i++)
				for (int j = jj; j < m && j < jj + 8; j++)
					out[j * n + i] = in[i * m + j];
}
