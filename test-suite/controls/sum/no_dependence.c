/* Tasks add to one sum in no order.
 * fp: reassoc; flags: -O2 -fopenmp; verdict: different|nondeterministic|undefined */
double f(const double *x, int n)
{
	double s = 0;
	int block = n / 5 + 1;
#pragma omp parallel
#pragma omp single
	for (int from = 0; from < n; from += block) {
#pragma omp task depend(in : s) firstprivate(from) shared(s)
		{
			double t = 0;
			for (int i = from; i < n && i < from + block; i++)
				t += x[i];
			s += t;
		}
	}
	return s;
}
