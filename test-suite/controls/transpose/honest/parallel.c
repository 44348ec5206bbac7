/* Rows on threads.
 * fp: ordered; flags: -O2 -march=native -fopenmp; verdict: equal */
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
#pragma omp parallel for num_threads(2)
	for (int i = 0; i < n; i++)
		for (int j = 0; j < m; j++)
			out[j * n + i] = in[i * m + j];
}
