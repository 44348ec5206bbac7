/* Arguments of a block first, then the functions of them.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
#include <math.h>
void f(int n, float *out, const float *in)
{
	float argument[32];
	if (out > in && out < in + n) {
		for (int i = 0; i < n; i++) {
			float x = in[i];
			out[i] = 0.5f * x * (1.0f + tanhf(0.7978845608f * (x + 0.044715f * x * x * x)));
		}
		return;
	}
	for (int at = 0; at < n; at += 32) {
		int count = n - at < 32 ? n - at : 32;
		for (int i = 0; i < count; i++) {
			float x = in[at + i];
			argument[i] = 0.7978845608f * (x + 0.044715f * x * x * x);
		}
		for (int i = 0; i < count; i++)
			out[at + i] = 0.5f * in[at + i] * (1.0f + tanhf(argument[i]));
	}
}
