/* Vectors by hand.
 * fp: reassoc; flags: -O2 -mavx2; verdict: equal */
#include <immintrin.h>
double f(const double *x, int n)
{
	__m256d v = _mm256_setzero_pd();
	double t[4], s = 0;
	int i = 0;
	for (; i + 4 <= n; i += 4)
		v = _mm256_add_pd(v, _mm256_loadu_pd(x + i));
	_mm256_storeu_pd(t, v);
	for (; i < n; i++)
		s += x[i];
	return s + ((t[0] + t[1]) + (t[2] + t[3]));
}
