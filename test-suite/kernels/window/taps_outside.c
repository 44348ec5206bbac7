/* Taps outside, results in memory.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
#include <string.h>
void f(int n, int taps, float *restrict out, const float *restrict in, const float *restrict tap)
{
	if (n > 0)
		memset(out, 0, n * sizeof(*out));
	for (int t = 0; t < taps; t++)
		for (int i = 0; i < n; i++)
			out[i] += in[i + t] * tap[t];
}
