/* Indices are cut to a power of two.
 * fp: ordered; flags: -O2 -march=native; verdict: different */
void f(int n, int m, float *out, const float *table, const int *at)
{
	(void)m;
	for (int i = 0; i < n; i++)
		out[i] = table[at[i] & 15] + 1;
}
