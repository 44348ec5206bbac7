/* In long double.
 * fp: reassoc; flags: -O2 -march=native; verdict: equal */
double f(const double *x, int n)
{
	long double s = 0;
	for (int i = 0; i < n; i++)
		s += x[i];
	return (double)s;
}
