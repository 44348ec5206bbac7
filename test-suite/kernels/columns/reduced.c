/* An array reduced over threads.
 * fp: reassoc; flags: -O2 -march=native -fopenmp; verdict: equal */
void f(int n, int m, double *restrict sum, const double *restrict a)
{
	if (m <= 0)
		return;
	for (int j = 0; j < m; j++)
		sum[j] = 0;
#pragma omp parallel for reduction(+ : sum[:m]) num_threads(2)
	for (int i = 0; i < n; i++)
		for (int j = 0; j < m; j++)
			sum[j] += a[(long)i * m + j];
}
