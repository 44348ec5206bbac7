/* Two at a time.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
void f(int n, float *x)
{
	int i = 0;
	for (; i + 2 <= n; i += 2) {
		float a = x[i], b = x[i + 1];
		x[i] = a > 0 ? a : 0;
		x[i + 1] = b > 0 ? b : 0;
	}
	if (i < n)
		x[i] = x[i] > 0 ? x[i] : 0;
}
