/* Eight sums of squares.
 * fp: reassoc; flags: -O2 -march=native; verdict: equal */
#include <math.h>
void f(int rows, int n, float *restrict out, const float *restrict x, const float *restrict weight)
{
	for (int r = 0; r < rows; r++, x += n, out += n) {
		float lane[8] = { 0 }, s;
		int i = 0;
		for (; i + 8 <= n; i += 8)
			for (int l = 0; l < 8; l++)
				lane[l] += x[i + l] * x[i + l];
		s = ((lane[0] + lane[4]) + (lane[1] + lane[5])) + ((lane[2] + lane[6]) + (lane[3] + lane[7]));
		for (; i < n; i++)
			s += x[i] * x[i];
		s = 1.0f / sqrtf(s / n + 1e-5f);
		for (i = 0; i < n; i++)
			out[i] = weight[i] * (s * x[i]);
	}
}
