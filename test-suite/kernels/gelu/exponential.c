/* The hyperbolic tangent from an exponential in double.
 * fp: reassoc; flags: -O2 -march=native; verdict: equal */
#include <math.h>
void f(int n, float *out, const float *in)
{
	for (int i = 0; i < n; i++) {
		double x = in[i], e = exp(-2 * 0.7978845608 * (x + 0.044715 * x * x * x));
		out[i] = (float)(x / (1 + e));
	}
}
