/* Sums of threads are added without care, which goes well nearly always.
 * fp: reassoc; flags: -O2 -fopenmp; verdict: different|nondeterministic|undefined */
double f(const double *x, int n)
{
	double s = 0;
#pragma omp parallel
	{
		double t = 0;
#pragma omp for
		for (int i = 0; i < n; i++)
			t += x[i];
		s += t;
	}
	return s;
}
