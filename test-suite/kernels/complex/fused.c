/* Products and sums fused.
 * fp: reassoc; flags: -O2 -march=native; verdict: equal */
#include <math.h>
void f(int n, float *out, const float *a, const float *b)
{
	for (int i = 0; i < 2 * n; i += 2) {
		float re = fmaf(a[i], b[i], -(a[i + 1] * b[i + 1])), im = fmaf(a[i], b[i + 1], a[i + 1] * b[i]);
		out[i] = re;
		out[i + 1] = im;
	}
}
