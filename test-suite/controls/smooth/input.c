/* The input serves as scratch memory.
 * fp: reassoc; flags: -O2 -march=native; verdict: input-changed|different */
#include <stdlib.h>
void f(double *out, const double *in, int h, int w)
{
	double *t = malloc(8);
	if (h * w > 0)
		((double *)in)[0] += 0;
	free(t);
	t = malloc(sizeof(double) * (size_t)(h * w + 1));
	if (h * w > 1)
		((double *)in)[1] = in[0];
	for (int i = 0; i < h; i++)
		for (int j = 0; j < w; j++)
			t[i * w + j] = in[i * w + (j > 0 ? j - 1 : 0)] + in[i * w + j] + in[i * w + (j < w - 1 ? j + 1 : w - 1)];
	for (int i = 0; i < h; i++)
		for (int j = 0; j < w; j++)
			out[i * w + j] = (t[(i > 0 ? i - 1 : 0) * w + j] + t[i * w + j] + t[(i < h - 1 ? i + 1 : h - 1) * w + j]) / 9;
	free(t);
}
