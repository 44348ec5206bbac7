/* From the end.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
int f(const short *x, const short *y, int n)
{
	int s = 0;
	while (n-- > 0)
		s += x[n] * y[n] >> 8;
	return s;
}
