/* Threads count without care.
 * fp: ordered; flags: -O1 -fopenmp; verdict: different|nondeterministic|undefined */
void f(int n, int m, int *bin, const int *at)
{
	(void)m;
#pragma omp parallel for num_threads(4)
	for (int i = 0; i < n; i++)
		bin[at[i]] += 1;
}
