/* The rounding mode is left changed by large calls only.
 * fp: ordered; flags: -O2 -march=native -frounding-math; verdict: side-effect|different */
#include <fenv.h>
void f(int n, float *out, const float *in, float a)
{
	for (int i = 0; i < n; i++)
		out[i] = a * in[i];
	if (n > 30)
		fesetround(FE_DOWNWARD);
}
