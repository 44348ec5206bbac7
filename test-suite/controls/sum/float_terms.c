/* Terms are rounded to float.
 * fp: reassoc; flags: -O2 -march=native; verdict: different */
double f(const double *x, int n)
{
	double s = 0;
	for (int i = 0; i < n; i++)
		s += (float)x[i];
	return s;
}
