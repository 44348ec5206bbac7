/* Bins start from zero.
 * fp: ordered; flags: -O2 -march=native; verdict: different */
void f(int n, int m, int *bin, const int *at)
{
	for (int i = 0; i < m; i++)
		bin[i] = 0;
	for (int i = 0; i < n; i++)
		bin[at[i]] += 1;
}
