/* Two at a time.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
void f(int n, double *x)
{
	int i = 1;
	for (; i + 2 <= n; i += 2) {
		x[i] += x[i - 1];
		x[i + 1] += x[i];
	}
	for (; i < n; i++)
		x[i] += x[i - 1];
}
