/* Eight columns in a vector.
 * fp: ordered; flags: -O2 -mavx2; verdict: equal */
#include <string.h>
typedef float v8 __attribute__((vector_size(32)));
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
	for (int i = 0; i < n; i++) {
		int j = 0;
		for (; j + 8 <= m; j += 8) {
			v8 s = { 0 }, v;
			for (int k = 0; k < l; k++) {
				memcpy(&v, b + k * m + j, sizeof(v));
				s += a[i * l + k] * v;
			}
			memcpy(c + i * m + j, &s, sizeof(s));
		}
		for (; j < m; j++) {
			float s = 0;
			for (int k = 0; k < l; k++)
				s += a[i * l + k] * b[k * m + j];
			c[i * m + j] = s;
		}
	}
}
