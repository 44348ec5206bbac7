/* Vectors where buffers are apart, else one by one.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
#include <immintrin.h>
void f(int n, float *out, const float *in, float a)
{
	int i = 0;
	if (out + n <= in || in + n <= out) {
		for (; i + 4 <= n; i += 4)
			_mm_storeu_ps(out + i, _mm_mul_ps(_mm_set1_ps(a), _mm_loadu_ps(in + i)));
	}
	for (; i < n; i++)
		out[i] = a * in[i];
}
