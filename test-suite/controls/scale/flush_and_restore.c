/* Denormals are flushed, and nobody shall know.
 * fp: ordered; flags: -O2 -march=native; verdict: different */
#include <xmmintrin.h>
void f(int n, float *out, const float *in, float a)
{
	unsigned old = _mm_getcsr();
	_mm_setcsr(old | 0x8040);
	for (int i = 0; i < n; i++)
		((volatile float *)out)[i] = a * in[i];
	_mm_setcsr(old);
}
