/* Threads that take blocks in turn, and add their sums one after the other.
 * fp: reassoc; flags: -O2 -fopenmp; verdict: equal */
double f(const double *x, int n)
{
	double s = 0;
#pragma omp parallel num_threads(2)
	{
		double t = 0;
#pragma omp for schedule(static, 16) nowait
		for (int i = 0; i < n; i++)
			t += x[i];
#pragma omp critical
		s += t;
	}
	return s;
}
