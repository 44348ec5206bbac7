/* Threads that take care, where buffers are apart.
 * fp: ordered; flags: -O1 -fopenmp; verdict: equal */
void f(int n, int m, int *bin, const int *at)
{
	if (!((void *)(bin + m) <= (void *)at || (void *)(at + n) <= (void *)bin)) {
		for (int i = 0; i < n; i++)
			bin[at[i]] += 1;
		return;
	}
#pragma omp parallel for num_threads(2)
	for (int i = 0; i < n; i++)
#pragma omp atomic
		bin[at[i]] += 1;
}
