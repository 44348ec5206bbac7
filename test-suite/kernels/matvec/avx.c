/* Intrinsics, fused.
 * fp: reassoc; flags: -O2 -march=native; verdict: equal */
#include <immintrin.h>
void f(int n, int m, double *y, const double *a, const double *x)
{
	for (int i = 0; i < n; i++) {
		const double *row = a + (long)i * m;
		__m256d s = _mm256_setzero_pd();
		double part[4], rest = 0;
		int j = 0;
		for (; j + 4 <= m; j += 4)
			s = _mm256_fmadd_pd(_mm256_loadu_pd(row + j), _mm256_loadu_pd(x + j), s);
		_mm256_storeu_pd(part, s);
		for (; j < m; j++)
			rest += row[j] * x[j];
		y[i] = (part[0] + part[2]) + (part[1] + part[3]) + rest;
	}
}
