/* Even and odd elements apart.
 * fp: reassoc; flags: -O2 -march=native; verdict: equal */
double f(const double *x, int n)
{
	double s = 0, t = 0;
	for (int i = 0; i < n; i += 2)
		s += x[i];
	for (int i = 1; i < n; i += 2)
		t += x[i];
	return s + t;
}
