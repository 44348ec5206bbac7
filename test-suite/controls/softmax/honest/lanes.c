/* Partial maxima and sums.
 * fp: reassoc; flags: -O2 -march=native; verdict: equal */
#include <math.h>
void f(int rows, int n, float *out, const float *in)
{
	for (int r = 0; r < rows; r++) {
		const float *x = in + r * n;
		float *y = out + r * n, m[2] = { x[0], x[0] }, s[2] = { 0 }, most;
		for (int i = 1; i < n; i++)
			m[i & 1] = x[i] > m[i & 1] ? x[i] : m[i & 1];
		most = m[0] > m[1] ? m[0] : m[1];
		for (int i = 0; i < n; i++) {
			y[i] = expf(x[i] - most);
			s[i & 1] += y[i];
		}
		for (int i = 0; i < n; i++)
			y[i] /= s[0] + s[1];
	}
}
