/* Threads add what stands before their block, and may come too early.
 * fp: reassoc; flags: -O2 -fopenmp; verdict: different|nondeterministic|undefined */
#include <omp.h>
void f(int n, double *x)
{
	double before[65] = {0};
	if (n < 2)
		return;
#pragma omp parallel num_threads(4)
	{
		int me = omp_get_thread_num(), all = omp_get_num_threads();
		int from = (int)((long)n * me / all), to = (int)((long)n * (me + 1) / all);
		double s = 0;
		for (int i = from; i < to; i++)
			s += x[i];
		before[me + 1] = s;
#pragma omp barrier
#pragma omp single nowait
		for (int i = 1; i <= all; i++)
			before[i] += before[i - 1];
		s = before[me];
		for (int i = from; i < to; i++)
			x[i] = s += x[i];
	}
}
