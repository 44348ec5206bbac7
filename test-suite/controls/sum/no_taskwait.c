/* A task is not waited for.
 * fp: reassoc; flags: -O2 -fopenmp; verdict: different|nondeterministic|undefined */
double f(const double *x, int n)
{
	double low = 0, high = 0, s = 0;
#pragma omp parallel
#pragma omp single
	{
#pragma omp task shared(low)
		for (int i = 0; i < n / 2; i++)
			low += x[i];
		for (int i = n / 2; i < n; i++)
			high += x[i];
		s = low + high;
	}
	return s;
}
