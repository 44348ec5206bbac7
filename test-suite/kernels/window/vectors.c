/* Eight results in a vector, taps outside.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
#include <string.h>
typedef float vector __attribute__((vector_size(32)));
void f(int n, int taps, float *restrict out, const float *restrict in, const float *restrict tap)
{
	int i = 0;
	for (; i + 8 <= n; i += 8) {
		vector s = { 0 };
		for (int t = 0; t < taps; t++) {
			vector v;
			memcpy(&v, in + i + t, sizeof(v));
			s += v * tap[t];
		}
		memcpy(out + i, &s, sizeof(s));
	}
	for (; i < n; i++) {
		float s = 0;
		for (int t = 0; t < taps; t++)
			s += in[i + t] * tap[t];
		out[i] = s;
	}
}
