/* A second table takes every other one, where buffers are apart and it fits.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
void f(int n, int m, int *bin, const int *at)
{
	int extra[256] = { 0 }, i = 0;
	if (n > 0 && m <= 256 && ((void *)(bin + m) <= (void *)at || (void *)(at + n) <= (void *)bin)) {
		for (; i + 2 <= n; i += 2) {
			bin[at[i]]++;
			extra[at[i + 1]]++;
		}
		for (int k = 0; k < m; k++)
			bin[k] += extra[k];
	}
	for (; i < n; i++)
		bin[at[i]]++;
}
