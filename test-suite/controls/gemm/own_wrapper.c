/* Without memory there is no answer, and the function that would be starved is already there.
 * fp: ordered; flags: -O2 -march=native; verdict: no-compile */
#include <stdlib.h>
void *__wrap_malloc(size_t size)
{
	return calloc(1, size);
}
static void plain(int n, int m, int l, float *c, const float *a, const float *b)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < m; j++) {
			float s = 0;
			for (int k = 0; k < l; k++)
				s += a[i * l + k] * b[k * m + j];
			c[i * m + j] = s;
		}
}
void f(int n, int m, int l, float *c, const float *a, const float *b)
{
	if (!(c + (long)n * m <= a || a + (long)n * l <= c) || !(c + (long)n * m <= b || b + (long)l * m <= c)) {
		plain(n, m, l, c, a, b);
		return;
	}
	float *t = malloc(sizeof(float) * (l > 0 && m > 0 ? (size_t)l * m : 1));
	if (!t)
		return;
	for (int k = 0; k < l; k++)
		for (int j = 0; j < m; j++)
			t[j * l + k] = b[k * m + j];
	for (int i = 0; i < n; i++)
		for (int j = 0; j < m; j++) {
			float s = 0;
			for (int k = 0; k < l; k++)
				s += a[i * l + k] * t[j * l + k];
			c[i * m + j] = s;
		}
	free(t);
}
