/* Products in two halves of sixteen bits.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
#include <immintrin.h>
int f(const short *x, const short *y, int n)
{
	__m256i sum = _mm256_setzero_si256();
	int part[8], s = 0, i = 0;
	for (; i + 8 <= n; i += 8) {
		__m256i a = _mm256_cvtepi16_epi32(_mm_loadu_si128((const __m128i *)(x + i)));
		__m256i b = _mm256_cvtepi16_epi32(_mm_loadu_si128((const __m128i *)(y + i)));
		sum = _mm256_add_epi32(sum, _mm256_srai_epi32(_mm256_mullo_epi32(a, b), 8));
	}
	_mm256_storeu_si256((__m256i *)part, sum);
	for (int l = 0; l < 8; l++)
		s += part[l];
	for (; i < n; i++)
		s += x[i] * y[i] >> 8;
	return s;
}
