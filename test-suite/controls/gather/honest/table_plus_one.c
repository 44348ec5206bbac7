/* The sums are made once where the table is short and apart.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
#include <stdlib.h>
void f(int n, int m, float *out, const float *table, const int *at)
{
	if (n > 0 && m > 0 && m < 64 && (out + n <= table || table + m <= out) && ((void *)(out + n) <= (void *)at || (void *)(at + n) <= (void *)out)) {
		float t[64];
		for (int k = 0; k < m; k++)
			t[k] = table[k] + 1;
		for (int i = 0; i < n; i++)
			out[i] = t[at[i]];
		return;
	}
	for (int i = 0; i < n; i++)
		out[i] = table[at[i]] + 1;
}
