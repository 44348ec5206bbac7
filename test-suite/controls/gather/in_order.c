/* Indices are taken to be their own places.
 * fp: ordered; flags: -O2 -march=native; verdict: different|out-of-bounds */
void f(int n, int m, float *out, const float *table, const int *at)
{
	(void)at;
	for (int i = 0; i < n; i++)
		out[i] = table[i < m ? i : 0] + 1;
}
