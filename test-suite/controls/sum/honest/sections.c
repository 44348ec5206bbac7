/* Each half of the sum is a section.
 * fp: reassoc; flags: -O2 -fopenmp; verdict: equal */
double f(const double *x, int n)
{
	double low = 0, high = 0;
#pragma omp parallel sections
	{
#pragma omp section
		for (int i = 0; i < n / 2; i++)
			low += x[i];
#pragma omp section
		for (int i = n / 2; i < n; i++)
			high += x[i];
	}
	return low + high;
}
