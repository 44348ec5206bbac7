/* Threads read ahead, and add in the order of the elements.
 * fp: reassoc; flags: -O2 -fopenmp; verdict: equal */
double f(const double *x, int n)
{
	double s = 0;
#pragma omp parallel for ordered schedule(static, 8192)
	for (int i = 0; i < n; i++) {
		double t = x[i];
#pragma omp ordered
		s += t;
	}
	return s;
}
