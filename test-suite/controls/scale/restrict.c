/* Buffers are taken to be apart.
 * fp: ordered; flags: -O2 -march=native; verdict: different */
#include <string.h>
void f(int n, float *out, const float *in, float a)
{
	float t[64];
	int i = 0;
	for (; i + 64 <= n; i += 64) {
		memcpy(t, in + i, sizeof(t));
		for (int k = 0; k < 64; k++)
			out[i + k] = a * t[k];
	}
	for (; i + 8 <= n; i += 8) {
		memcpy(t, in + i, 32);
		for (int k = 0; k < 8; k++)
			out[i + k] = a * t[k];
	}
	for (; i < n; i++)
		out[i] = a * in[i];
}
