/* Buffers are taken to be aligned.
 * fp: ordered; flags: -O2 -march=native; verdict: crash */
#include <immintrin.h>
void f(int n, float *out, const float *in, float a)
{
	int i = 0;
	for (; i + 4 <= n; i += 4)
		_mm_store_ps(out + i, _mm_mul_ps(_mm_set1_ps(a), _mm_load_ps(in + i)));
	for (; i < n; i++)
		out[i] = a * in[i];
}
