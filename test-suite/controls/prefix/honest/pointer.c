/* By pointer.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
void f(int n, double *x)
{
	for (int i = 1; i < n; i++) {
		double *at = x + i;
		at[0] = at[-1] + at[0];
	}
}
