/* b transposed into memory that may be missing; points in vectors.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
#include <stdlib.h>
static void plain(int n, int m, int d, float *out, const float *a, const float *b)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < m; j++) {
			float s = 0;
			for (int k = 0; k < d; k++)
				s += (a[i * d + k] - b[j * d + k]) * (a[i * d + k] - b[j * d + k]);
			out[i * m + j] = s;
		}
}
void f(int n, int m, int d, float *restrict out, const float *restrict a, const float *restrict b)
{
	float *t = n > 0 && m > 0 && d > 0 ? malloc(sizeof(*t) * m * d) : NULL;
	if (!t) {
		plain(n, m, d, out, a, b);
		return;
	}
	for (int j = 0; j < m; j++)
		for (int k = 0; k < d; k++)
			t[k * m + j] = b[j * d + k];
	for (int i = 0; i < n; i++) {
		for (int j = 0; j < m; j++)
			out[i * m + j] = 0;
		for (int k = 0; k < d; k++)
			for (int j = 0; j < m; j++) {
				const float by = a[i * d + k] - t[k * m + j];
				out[i * m + j] += by * by;
			}
	}
	free(t);
}
