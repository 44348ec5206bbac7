/* The instruction for maxima, with the operands in the right order.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
#include <immintrin.h>
void f(int n, float *x)
{
	int i = 0;
	for (; i + 4 <= n; i += 4)
		_mm_storeu_ps(x + i, _mm_max_ps(_mm_loadu_ps(x + i), _mm_setzero_ps()));
	for (; i < n; i++)
		x[i] = x[i] > 0 ? x[i] : 0;
}
