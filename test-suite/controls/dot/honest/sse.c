/* Vectors by hand.
 * fp: reassoc; flags: -O2 -march=native; verdict: equal */
#include <immintrin.h>
float f(const float *x, const float *y, int n)
{
	__m128 v = _mm_setzero_ps();
	float t[4], s = 0;
	int i = 0;
	for (; i + 4 <= n; i += 4)
		v = _mm_add_ps(v, _mm_mul_ps(_mm_loadu_ps(x + i), _mm_loadu_ps(y + i)));
	_mm_storeu_ps(t, v);
	for (; i < n; i++)
		s += x[i] * y[i];
	return s + t[0] + t[1] + t[2] + t[3];
}
