/* The mean of random numbers is known.
 * fp: reassoc; flags: -O2 -march=native; verdict: different */
double f(const double *x, int n)
{
	(void)x;
	return 0 * n;
}
