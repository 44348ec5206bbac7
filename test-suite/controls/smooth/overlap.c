/* Right only where input and output share no memory.
 * fp: reassoc; flags: -O2 -march=native; verdict: different */
#include <stdlib.h>
static double at(const double *in, int w, int i, int j) { return in[i * w + (j > 0 ? j - 1 : 0)] + in[i * w + j] + in[i * w + (j < w - 1 ? j + 1 : w - 1)]; }
void f(double *out, const double *in, int h, int w)
{
	for (int i = 0; i < h; i++)
		for (int j = 0; j < w; j++)
			out[i * w + j] = (at(in, w, i > 0 ? i - 1 : 0, j) + at(in, w, i, j) + at(in, w, i < h - 1 ? i + 1 : h - 1, j)) / 9;
}
