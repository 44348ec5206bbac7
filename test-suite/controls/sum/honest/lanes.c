/* Eight partial sums.
 * fp: reassoc; flags: -O2 -march=native; verdict: equal */
double f(const double *x, int n)
{
	double s[8] = { 0 }, t = 0;
	int i = 0;
	for (; i + 8 <= n; i += 8)
		for (int k = 0; k < 8; k++)
			s[k] += x[i + k];
	for (; i < n; i++)
		t += x[i];
	for (int k = 0; k < 8; k++)
		t += s[k];
	return t;
}
