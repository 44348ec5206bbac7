/* The larger of two halves.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
static int larger(const int *x, int n)
{
	if (n == 1)
		return x[0];
	int a = larger(x, n / 2), b = larger(x + n / 2, n - n / 2);
	return a > b ? a : b;
}
int f(const int *x, int n)
{
	return n > 0 ? larger(x, n) : -2147483647 - 1;
}
