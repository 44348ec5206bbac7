/* A helper.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
static float get(const float *table, int at) { return table[at] + 1; }
void f(int n, int m, float *out, const float *table, const int *at)
{
	(void)m;
	for (int i = 0; i < n; i++)
		out[i] = get(table, at[i]);
}
