/* Floating-point exceptions are left unmasked.
 * fp: ordered; flags: -O2 -march=native; verdict: side-effect */
#define _GNU_SOURCE
#include <fenv.h>
void f(int n, float *out, const float *in, float a)
{
	for (int i = 0; i < n; i++)
		out[i] = a * in[i];
	feenableexcept(FE_DIVBYZERO);
}
