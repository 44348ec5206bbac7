/* Eight maxima in a vector.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
#include <immintrin.h>
int f(const int *x, int n)
{
	int most = -2147483647 - 1, i = 0, part[8];
	__m256i top = _mm256_set1_epi32(most);
	for (; i + 8 <= n; i += 8)
		top = _mm256_max_epi32(top, _mm256_loadu_si256((const __m256i *)(x + i)));
	_mm256_storeu_si256((__m256i *)part, top);
	for (int l = 0; l < 8; l++)
		if (part[l] > most)
			most = part[l];
	while (i < n) {
		if (x[i] > most)
			most = x[i];
		i++;
	}
	return most;
}
