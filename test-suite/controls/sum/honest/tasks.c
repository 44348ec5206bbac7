/* Halves of halves are tasks, and wait for each other.
 * fp: reassoc; flags: -O2 -fopenmp; verdict: equal */
static double part(const double *x, int n)
{
	double low, high;
	if (n < 4096) {
		low = 0;
		for (int i = 0; i < n; i++)
			low += x[i];
		return low;
	}
#pragma omp task shared(low)
	low = part(x, n / 2);
	high = part(x + n / 2, n - n / 2);
#pragma omp taskwait
	return low + high;
}
double f(const double *x, int n)
{
	double s;
#pragma omp parallel
#pragma omp single
	s = part(x, n);
	return s;
}
