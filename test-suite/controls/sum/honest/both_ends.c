/* From both ends at once.
 * fp: reassoc; flags: -O2 -march=native; verdict: equal */
double f(const double *x, int n)
{
	double s = 0, t = 0;
	int i = 0, j = n - 1;
	for (; i < j; i++, j--) {
		s += x[i];
		t += x[j];
	}
	return i == j ? s + t + x[i] : s + t;
}
