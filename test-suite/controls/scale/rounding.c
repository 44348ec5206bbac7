/* The rounding mode is left changed.
 * fp: ordered; flags: -O2 -march=native -frounding-math; verdict: side-effect|different */
#include <fenv.h>
void f(int n, float *out, const float *in, float a)
{
	for (int i = 0; i < n; i++)
		out[i] = a * in[i];
	fesetround(FE_UPWARD);
}
