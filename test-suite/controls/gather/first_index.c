/* One index serves for all.
 * fp: ordered; flags: -O2 -march=native; verdict: different|out-of-bounds */
void f(int n, int m, float *out, const float *table, const int *at)
{
	(void)m;
	for (int i = 0; i < n; i++)
		out[i] = table[at[0]] + 1;
}
