/* A heap buffer, and a way on without memory.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
#include <stdlib.h>
#include <string.h>
void f(int n, float *out, const float *in, float a)
{
	float *t = out + n <= in || in + n <= out ? malloc(sizeof(float) * (n > 0 ? n : 1)) : NULL;
	if (!t) {
		for (int i = 0; i < n; i++)
			out[i] = a * in[i];
		return;
	}
	memcpy(t, in, sizeof(float) * (n > 0 ? n : 0));
	for (int i = 0; i < n; i++)
		out[i] = a * t[i];
	free(t);
}
