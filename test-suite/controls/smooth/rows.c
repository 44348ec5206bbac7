/* The last row is left as it was.
 * fp: reassoc; flags: -O2 -march=native; verdict: different */
#include <stdlib.h>
void f(double *out, const double *in, int h, int w)
{
	double *t = malloc(sizeof(double) * (size_t)(h * w + 1));
	for (int i = 0; i < h; i++)
		for (int j = 0; j < w; j++)
			t[i * w + j] = in[i * w + (j > 0 ? j - 1 : 0)] + in[i * w + j] + in[i * w + (j < w - 1 ? j + 1 : w - 1)];
	for (int i = 0; i < h - 1; i++)
		for (int j = 0; j < w; j++)
			out[i * w + j] = (t[(i > 0 ? i - 1 : 0) * w + j] + t[i * w + j] + t[(i < h - 1 ? i + 1 : h - 1) * w + j]) / 9;
	free(t);
}
