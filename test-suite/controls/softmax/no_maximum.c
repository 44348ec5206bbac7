/* Without the maximum large inputs overflow.
 * fp: reassoc; flags: -O2 -march=native; verdict: different|out-of-bounds */
#include <math.h>
void f(int rows, int n, float *out, const float *in)
{
	for (int r = 0; r < rows; r++) {
		float s = 0;
		for (int i = 0; i < n; i++) {
			out[r * n + i] = expf(in[r * n + i]);
			s += out[r * n + i];
		}
		for (int i = 0; i < n; i++)
			out[r * n + i] /= s;
	}
}
