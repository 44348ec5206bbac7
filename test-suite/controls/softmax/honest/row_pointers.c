/* Row pointers.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
#include <math.h>
void f(int rows, int n, float *out, const float *in)
{
	for (int r = 0; r < rows; r++) {
		const float *x = in + r * n;
		float *y = out + r * n, most = x[0], s = 0;
		for (int i = 1; i < n; i++)
			if (x[i] > most)
				most = x[i];
		for (int i = 0; i < n; i++) {
			y[i] = expf(x[i] - most);
			s += y[i];
		}
		for (int i = 0; i < n; i++)
			y[i] /= s;
	}
}
