/* Rows shared out, vectors within.
 * fp: ordered; flags: -O2 -march=native -fopenmp; verdict: equal */
void f(int n, int m, double *restrict out, const double *restrict in)
{
#pragma omp parallel for num_threads(3) schedule(static)
	for (int i = 1; i < n - 1; i++) {
#pragma omp simd
		for (int j = 1; j < m - 1; j++)
			out[i * m + j] = 0.25 * (in[(i - 1) * m + j] + in[(i + 1) * m + j] + in[i * m + j - 1] + in[i * m + j + 1]);
	}
}
