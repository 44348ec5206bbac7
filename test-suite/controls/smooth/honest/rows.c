/* Scratch memory for sums of columns, with the borders apart.
 * fp: reassoc; flags: -O2 -march=native; verdict: equal */
#include <stdlib.h>
static void row(double *t, const double *in, int w)
{
	if (w == 1) {
		t[0] = 3 * in[0];
		return;
	}
	t[0] = in[0] + in[0] + in[1];
	for (int j = 1; j < w - 1; j++)
		t[j] = in[j - 1] + in[j] + in[j + 1];
	t[w - 1] = in[w - 2] + in[w - 1] + in[w - 1];
}
void f(double *out, const double *in, int h, int w)
{
	double *t;
	if (h < 1 || w < 1)
		return;
	t = malloc(sizeof(double) * (size_t)h * (size_t)w);
	for (int i = 0; i < h; i++)
		row(t + (size_t)i * w, in + (size_t)i * w, w);
	for (int i = 0; i < h; i++) {
		const double *a = t + (size_t)(i > 0 ? i - 1 : 0) * w, *b = t + (size_t)i * w;
		const double *c = t + (size_t)(i < h - 1 ? i + 1 : h - 1) * w;
		for (int j = 0; j < w; j++)
			out[(size_t)i * w + j] = (a[j] + b[j] + c[j]) / 9;
	}
	free(t);
}
