/* Terms below a thousandth are dropped.
 * fp: reassoc; flags: -O2 -march=native; verdict: different */
double f(const double *x, int n)
{
	double s = 0;
	for (int i = 0; i < n; i++)
		if (x[i] > 1e-3 || x[i] < -1e-3)
			s += x[i];
	return s;
}
