/* Who counts itself last adds what the other has left, on the word of a counter that promises no order.
 * fp: reassoc; flags: -O2 -fopenmp; verdict: different|nondeterministic|undefined */
#include <omp.h>
double f(const double *x, int n)
{
	double part[2] = {0}, s = 0;
	int done = 0;
#pragma omp parallel num_threads(2)
	{
		double t = 0;
#pragma omp for nowait
		for (int i = 0; i < n; i++)
			t += x[i];
		part[omp_get_thread_num()] = t;
		if (__atomic_add_fetch(&done, 1, __ATOMIC_RELAXED) == omp_get_num_threads())
			s = part[0] + part[1];
	}
	return s;
}
