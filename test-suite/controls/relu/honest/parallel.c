/* Threads.
 * fp: ordered; flags: -O2 -march=native -fopenmp; verdict: equal */
void f(int n, float *x)
{
#pragma omp parallel for num_threads(2) if (n > 100)
	for (int i = 0; i < n; i++)
		x[i] = x[i] > 0 ? x[i] : 0;
}
