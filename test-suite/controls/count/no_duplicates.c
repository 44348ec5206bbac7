/* Indices are taken to differ.
 * fp: ordered; flags: -O2 -march=native; verdict: different */
void f(int n, int m, int *bin, const int *at)
{
	(void)m;
	int i = 0;
	for (; i + 4 <= n; i += 4) {
		int t[4];
		for (int k = 0; k < 4; k++)
			t[k] = bin[at[i + k]] + 1;
		for (int k = 0; k < 4; k++)
			bin[at[i + k]] = t[k];
	}
	for (; i < n; i++)
		bin[at[i]] += 1;
}
