/* Equal neighbours counted together, where buffers are apart.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
void f(int n, int m, int *bin, const int *at)
{
	if (!((void *)(bin + m) <= (void *)at || (void *)(at + n) <= (void *)bin)) {
		for (int i = 0; i < n; i++)
			bin[at[i]] += 1;
		return;
	}
	for (int i = 0; i < n;) {
		int k = i;
		while (k < n && at[k] == at[i])
			k++;
		bin[at[i]] += k - i;
		i = k;
	}
}
