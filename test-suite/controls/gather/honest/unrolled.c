/* Two at a time, in order.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
void f(int n, int m, float *out, const float *table, const int *at)
{
	int i = 0;
	(void)m;
	for (; i + 2 <= n; i += 2) {
		out[i] = table[at[i]] + 1;
		out[i + 1] = table[at[i + 1]] + 1;
	}
	if (i < n)
		out[i] = table[at[i]] + 1;
}
