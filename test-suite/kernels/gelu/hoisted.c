/* The cube through a helper, the result through a local.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
#include <math.h>
static inline float gelu(float x)
{
	const float cube = 0.044715f * x * x * x;
	return 0.5f * x * (1.0f + tanhf(0.7978845608f * (x + cube)));
}
void f(int n, float *out, const float *in)
{
	for (; n > 0; n--)
		*out++ = gelu(*in++);
}
