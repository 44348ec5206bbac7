#include <math.h>
void f(int rows, int n, float *restrict out, const float *restrict x, const float *restrict weight)
{
	for (int r = 0; r < rows; r++) {
		float s = 0;
		for (int i = 0; i < n; i++)
			s += x[r * n + i] * x[r * n + i];
		s = 1.0f / sqrtf(s / n + 1e-5f);
		for (int i = 0; i < n; i++)
			out[r * n + i] = weight[i] * (s * x[r * n + i]);
	}
}
