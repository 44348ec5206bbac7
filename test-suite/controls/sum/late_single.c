/* One thread adds the parts, and does not wait for those that are late.
 * fp: reassoc; flags: -O2 -fopenmp; verdict: different|nondeterministic|undefined */
#include <omp.h>
double f(const double *x, int n)
{
	double part[64] = {0}, s = 0;
#pragma omp parallel num_threads(3)
	{
		int me = omp_get_thread_num(), all = omp_get_num_threads();
		double t = 0;
		for (int i = me; i < n; i += all)
			t += x[i];
		part[me] = t;
		if (me == 0)
			for (int i = 0; i < all; i++)
				s += part[i];
	}
	return s;
}
