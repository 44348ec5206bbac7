/* The sum of the ends stands for the whole.
 * fp: reassoc; flags: -O2 -march=native; verdict: different */
double f(const double *x, int n)
{
	return n > 0 ? (x[0] + x[n - 1]) / 2 * n : 0;
}
