/* Through a small buffer where buffers are apart.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
#include <string.h>
void f(int n, float *out, const float *in, float a)
{
	float t[64];
	int i = 0;
	if (out + n <= in || in + n <= out) {
		for (; i + 64 <= n; i += 64) {
			memcpy(t, in + i, sizeof(t));
			for (int k = 0; k < 64; k++)
				out[i + k] = a * t[k];
		}
	}
	for (; i < n; i++)
		out[i] = a * in[i];
}
