/* Threads add to variables of their own, which outlive the loop.
 * fp: reassoc; flags: -O2 -fopenmp; verdict: equal */
static double own;
#pragma omp threadprivate(own)
double f(const double *x, int n)
{
	double s = 0;
#pragma omp parallel num_threads(2)
	{
		own = 0;
#pragma omp for
		for (int i = 0; i < n; i++)
			own += x[i];
#pragma omp critical(sum)
		s += own;
	}
	return s;
}
