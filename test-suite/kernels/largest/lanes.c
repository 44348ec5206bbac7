/* Four maxima.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
#define MAX(a, b) ((a) > (b) ? (a) : (b))
int f(const int *x, int n)
{
	int a = -2147483647 - 1, b = a, c = a, d = a, i = 0;
	for (; i + 4 <= n; i += 4) {
		a = MAX(a, x[i]);
		b = MAX(b, x[i + 1]);
		c = MAX(c, x[i + 2]);
		d = MAX(d, x[i + 3]);
	}
	for (; i < n; i++)
		a = MAX(a, x[i]);
	return MAX(MAX(a, b), MAX(c, d));
}
