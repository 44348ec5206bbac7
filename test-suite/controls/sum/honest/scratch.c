/* Each thread has a place of its own for its sum; one adds them when all are there.
 * fp: reassoc; flags: -O2 -fopenmp; verdict: equal */
#include <omp.h>
double f(const double *x, int n)
{
	double part[64], s = 0;
#pragma omp parallel num_threads(3)
	{
		int me = omp_get_thread_num(), all = omp_get_num_threads();
		part[me] = 0;
		for (int i = me; i < n; i += all)
			part[me] += x[i];
#pragma omp barrier
#pragma omp single
		for (int i = 0; i < all; i++)
			s += part[i];
	}
	return s;
}
