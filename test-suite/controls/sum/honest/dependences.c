/* Tasks in a row, each of which adds its block to the sum of those before.
 * fp: reassoc; flags: -O2 -fopenmp; verdict: equal */
double f(const double *x, int n)
{
	double s = 0;
	int block = n / 5 + 1;
#pragma omp parallel
#pragma omp single
	for (int from = 0; from < n; from += block) {
#pragma omp task depend(inout : s)
		for (int i = from; i < n && i < from + block; i++)
			s += x[i];
	}
	return s;
}
