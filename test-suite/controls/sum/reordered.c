/* A sum is reordered where order is kept.
 * fp: ordered; flags: -O2 -march=native; verdict: different */
double f(const double *x, int n)
{
	double s = 0;
	for (int i = n - 1; i >= 0; i--)
		s += x[i];
	return s;
}
