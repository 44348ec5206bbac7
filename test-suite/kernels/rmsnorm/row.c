/* A function for a row.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
#include <math.h>
static float inverse_norm(const float *x, int n)
{
	float s = 0;
	for (const float *at = x; at != x + n; at++)
		s += *at * *at;
	return 1.0f / sqrtf(s / n + 1e-5f);
}
void f(int rows, int n, float *restrict out, const float *restrict x, const float *restrict weight)
{
	for (int r = 0; r < rows; r++) {
		const float *row = x + r * n, scale = inverse_norm(row, n > 0 ? n : 0);
		for (int i = n - 1; i >= 0; i--)
			out[r * n + i] = weight[i] * (scale * row[i]);
	}
}
