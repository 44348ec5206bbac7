/* Iterations are taken to be independent.
 * fp: ordered; flags: -O2 -march=native; verdict: different */
void f(int n, double *x)
{
	double last = n > 0 ? x[0] : 0;
	for (int i = 1; i < n; i++) {
		double here = x[i];
		x[i] = here + last;
		last = here;
	}
}
