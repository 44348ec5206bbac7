/* A race only where the sanitizer of races is not there.
 * fp: reassoc; flags: -O2 -fopenmp; verdict: different|nondeterministic|undefined */
double f(const double *x, int n)
{
	double s = 0;
#pragma omp parallel num_threads(2)
	{
		double t = 0;
#pragma omp for nowait
		for (int i = 0; i < n; i++)
			t += x[i];
#ifdef __SANITIZE_THREAD__
#pragma omp critical
#endif
		s += t;
	}
	return s;
}
