/* Two at a time, one after the other.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
void f(int n, int m, int *bin, const int *at)
{
	int i = 0;
	(void)m;
	for (; i + 2 <= n; i += 2) {
		bin[at[i]]++;
		bin[at[i + 1]]++;
	}
	if (i < n)
		bin[at[i]]++;
}
