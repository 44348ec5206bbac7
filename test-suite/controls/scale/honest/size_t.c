/* Another type of counter.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
#include <stddef.h>
void f(int n, float *out, const float *in, float a)
{
	for (size_t i = 0; n > 0 && i < (size_t)n; i++)
		out[i] = a * in[i];
}
