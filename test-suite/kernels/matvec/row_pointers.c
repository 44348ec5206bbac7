/* Rows walked by pointers; x behind an accumulator.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
void f(int n, int m, double *y, const double *a, const double *x)
{
	const double *row = a;
	for (double *end = y + n; y < end; y++) {
		double s = 0;
		for (const double *v = x, *stop = x + m; v < stop; v++)
			s += *row++ * *v;
		*y = s;
	}
}
