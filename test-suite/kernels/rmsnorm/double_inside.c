/* Sum and root in double.
 * fp: reassoc; flags: -O2 -march=native; verdict: equal */
#include <math.h>
void f(int rows, int n, float *restrict out, const float *restrict x, const float *restrict weight)
{
	for (int r = 0; r < rows; r++) {
		double s = 0;
		for (int i = 0; i < n; i++)
			s += (double)x[r * n + i] * x[r * n + i];
		s = 1 / sqrt(s / n + (double)1e-5f);
		for (int i = 0; i < n; i++)
			out[r * n + i] = (float)(weight[i] * s * x[r * n + i]);
	}
}
