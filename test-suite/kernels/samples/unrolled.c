/* Two sums; integers may be added in any order.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
int f(const short *x, const short *y, int n)
{
	int even = 0, odd = 0, i;
	for (i = 0; i + 1 < n; i += 2) {
		even += x[i] * y[i] >> 8;
		odd += x[i + 1] * y[i + 1] >> 8;
	}
	if (i < n)
		even += x[i] * y[i] >> 8;
	return even + odd;
}
