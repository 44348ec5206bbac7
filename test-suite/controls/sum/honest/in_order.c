/* By pointer, in order.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
double f(const double *x, int n)
{
	double s = 0;
	for (const double *end = x + (n > 0 ? n : 0); x < end; x++)
		s += *x;
	return s;
}
