/* Masked loads and stores.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
#include <immintrin.h>
void f(int n, float *restrict out, const float *restrict x, const int *restrict mask)
{
	const __m256 one = _mm256_set1_ps(1);
	int i = 0;
	for (; i + 8 <= n; i += 8) {
		__m256i none = _mm256_cmpeq_epi32(_mm256_loadu_si256((const __m256i *)(mask + i)), _mm256_setzero_si256());
		__m256i some = _mm256_xor_si256(none, _mm256_set1_epi32(-1));
		_mm256_maskstore_ps(out + i, some, _mm256_add_ps(_mm256_maskload_ps(x + i, some), one));
	}
	for (; i < n; i++)
		if (mask[i])
			out[i] = x[i] + 1;
}
