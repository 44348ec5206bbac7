/* Two numbers in a vector of four.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
#include <immintrin.h>
static void one(float *out, const float *a, const float *b)
{
	float re = a[0] * b[0] - a[1] * b[1], im = a[0] * b[1] + a[1] * b[0];
	out[0] = re;
	out[1] = im;
}
void f(int n, float *out, const float *a, const float *b)
{
	const int apart = (out <= a || out >= a + 2 * n) && (out <= b || out >= b + 2 * n);
	int i = 0;
	for (; apart && i + 2 <= n; i += 2) {
		__m128 x = _mm_loadu_ps(a + 2 * i), y = _mm_loadu_ps(b + 2 * i);
		__m128 straight = _mm_mul_ps(_mm_moveldup_ps(x), y);
		__m128 crossed = _mm_mul_ps(_mm_movehdup_ps(x), _mm_shuffle_ps(y, y, 0xb1));
		_mm_storeu_ps(out + 2 * i, _mm_addsub_ps(straight, crossed));
	}
	for (; i < n; i++)
		one(out + 2 * i, a + 2 * i, b + 2 * i);
}
