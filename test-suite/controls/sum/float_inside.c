/* Sums of doubles are kept in a float.
 * fp: reassoc; flags: -O2 -march=native; verdict: different */
double f(const double *x, int n)
{
	float s = 0;
	for (int i = 0; i < n; i++)
		s += x[i];
	return s;
}
