/* Two critical sections guard one sum, each from itself alone.
 * fp: reassoc; flags: -O2 -fopenmp; verdict: different|nondeterministic|undefined */
double f(const double *x, int n)
{
	double s = 0;
#pragma omp parallel
	{
		double even = 0, odd = 0;
#pragma omp for nowait
		for (int i = 0; i < n; i += 2)
			even += x[i];
#pragma omp critical(of_even)
		s += even;
#pragma omp for nowait
		for (int i = 1; i < n; i += 2)
			odd += x[i];
#pragma omp critical(of_odd)
		s += odd;
	}
	return s;
}
