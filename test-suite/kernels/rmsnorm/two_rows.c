/* Two rows at once, through software pipelining of the scale.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
#include <math.h>
static float square_sum(const float *x, int n)
{
	float s = 0;
	for (int i = 0; i < n; i++)
		s += x[i] * x[i];
	return s;
}
void f(int rows, int n, float *restrict out, const float *restrict x, const float *restrict weight)
{
	float next = rows > 0 ? square_sum(x, n) : 0;
	for (int r = 0; r < rows; r++) {
		const float scale = 1.0f / sqrtf(next / n + 1e-5f);
		if (r + 1 < rows)
			next = square_sum(x + (long)(r + 1) * n, n);
		for (int i = 0; i < n; i++)
			out[r * n + i] = weight[i] * (scale * x[r * n + i]);
	}
}
