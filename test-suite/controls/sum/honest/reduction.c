/* Threads, whose sums are added by the compiler.
 * fp: reassoc; flags: -O2 -fopenmp; verdict: equal */
double f(const double *x, int n)
{
	double s = 0;
#pragma omp parallel for reduction(+ : s) num_threads(2)
	for (int i = 0; i < n; i++)
		s += x[i];
	return s;
}
