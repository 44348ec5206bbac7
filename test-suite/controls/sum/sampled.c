/* Every second element counts twice.
 * fp: reassoc; flags: -O2 -march=native; verdict: different */
double f(const double *x, int n)
{
	double s = 0;
	for (int i = 0; i < n; i += 2)
		s += 2 * x[i];
	return s;
}
