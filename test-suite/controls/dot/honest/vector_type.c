/* The compiler's vectors.
 * fp: reassoc; flags: -O2 -march=native; verdict: equal */
#include <string.h>
typedef float v8 __attribute__((vector_size(32)));
float f(const float *x, const float *y, int n)
{
	v8 s = { 0 };
	float t = 0;
	int i = 0;
	for (; i + 8 <= n; i += 8) {
		v8 a, b;
		memcpy(&a, x + i, sizeof(a));
		memcpy(&b, y + i, sizeof(b));
		s += a * b;
	}
	for (; i < n; i++)
		t += x[i] * y[i];
	for (int k = 0; k < 8; k++)
		t += s[k];
	return t;
}
