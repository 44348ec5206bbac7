/* Denormals are flushed from now on.
 * fp: ordered; flags: -O2 -march=native; verdict: side-effect|different */
#include <xmmintrin.h>
void f(int n, float *out, const float *in, float a)
{
	_mm_setcsr(_mm_getcsr() | 0x8040);
	for (int i = 0; i < n; i++)
		out[i] = a * in[i];
}
