/* A compensated sum.
 * fp: reassoc; flags: -O2 -march=native; verdict: equal */
double f(const double *x, int n)
{
	double s = 0, c = 0;
	for (int i = 0; i < n; i++) {
		double t = s + x[i];
		c += __builtin_fabs(s) >= __builtin_fabs(x[i]) ? (s - t) + x[i] : (x[i] - t) + s;
		s = t;
	}
	return s + c;
}
