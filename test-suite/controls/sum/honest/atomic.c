/* Threads whose sums are added by atomic operations.
 * fp: reassoc; flags: -O2 -fopenmp; verdict: equal */
double f(const double *x, int n)
{
	double s = 0;
#pragma omp parallel num_threads(2)
	{
		double t = 0;
#pragma omp for nowait
		for (int i = 0; i < n; i++)
			t += x[i];
#pragma omp atomic
		s += t;
	}
	return s;
}
