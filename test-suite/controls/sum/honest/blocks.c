/* Blocks of a hundred, each summed first.
 * fp: reassoc; flags: -O2 -march=native; verdict: equal */
double f(const double *x, int n)
{
	double s = 0;
	for (int i = 0; i < n; i += 100) {
		double t = 0;
		for (int k = i; k < n && k < i + 100; k++)
			t += x[k];
		s += t;
	}
	return s;
}
