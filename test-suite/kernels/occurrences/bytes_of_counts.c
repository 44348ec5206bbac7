/* Counts in bytes, summed before they overflow.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
#include <immintrin.h>
int f(const unsigned char *text, int n, unsigned char byte)
{
	const __m256i wanted = _mm256_set1_epi8((char)byte);
	int count = 0, i = 0;
	while (i + 32 <= n) {
		__m256i sums = _mm256_setzero_si256();
		for (int r = 0; r < 255 && i + 32 <= n; r++, i += 32)
			sums = _mm256_sub_epi8(sums, _mm256_cmpeq_epi8(_mm256_loadu_si256((const __m256i *)(text + i)), wanted));
		sums = _mm256_sad_epu8(sums, _mm256_setzero_si256());
		count += (int)(_mm256_extract_epi64(sums, 0) + _mm256_extract_epi64(sums, 1) + _mm256_extract_epi64(sums, 2) + _mm256_extract_epi64(sums, 3));
	}
	for (; i < n; i++)
		if (text[i] == byte)
			count++;
	return count;
}
