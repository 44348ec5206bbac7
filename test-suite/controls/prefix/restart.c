/* The sum starts anew every 64 elements.
 * fp: ordered; flags: -O2 -march=native; verdict: different */
void f(int n, double *x)
{
	for (int i = 1; i < n; i++)
		if (i % 64)
			x[i] += x[i - 1];
}
