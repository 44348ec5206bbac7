/* Four tables against waiting for the last store.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
#include <string.h>
void f(int n, int *bin, const unsigned char *in)
{
	int table[4][256], i = 0;
	if (n < 256 || (const unsigned char *)bin < in + n && in < (const unsigned char *)(bin + 256)) {
		for (; i < n; i++)
			bin[in[i]]++;
		return;
	}
	memset(table, 0, sizeof(table));
	for (; i + 4 <= n; i += 4)
		for (int t = 0; t < 4; t++)
			table[t][in[i + t]]++;
	for (; i < n; i++)
		table[0][in[i]]++;
	for (int v = 0; v < 256; v++)
		bin[v] += table[0][v] + table[1][v] + table[2][v] + table[3][v];
}
