/* A lock of its own guards the sum, and a master makes it ready.
 * fp: reassoc; flags: -O2 -fopenmp; verdict: equal */
#include <omp.h>
double f(const double *x, int n)
{
	omp_lock_t lock;
	double s;
#pragma omp parallel num_threads(2)
	{
		double t = 0;
#pragma omp master
		{
			omp_init_lock(&lock);
			s = 0;
		}
#pragma omp for
		for (int i = 0; i < n; i++)
			t += x[i];
		omp_set_lock(&lock);
		s += t;
		omp_unset_lock(&lock);
	}
	omp_destroy_lock(&lock);
	return s;
}
