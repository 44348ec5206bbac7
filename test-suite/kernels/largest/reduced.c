/* A maximum over threads.
 * fp: ordered; flags: -O2 -march=native -fopenmp; verdict: equal */
int f(const int *x, int n)
{
	int most = -2147483647 - 1;
#pragma omp parallel for reduction(max : most) num_threads(2)
	for (int i = 0; i < n; i++)
		if (x[i] > most)
			most = x[i];
	return most;
}
