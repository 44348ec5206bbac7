/* Two at a time, in order, whether they meet or not.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
void f(int n, int m, double *out, const double *in, const int *to)
{
	int i = 0;
	for (; i + 2 <= n; i += 2) {
		out[to[i]] += in[i];
		out[to[i + 1]] += in[i + 1];
	}
	if (i < n)
		out[to[i]] += in[i];
}
