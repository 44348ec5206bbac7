/* One element in some calls is wrong.
 * fp: ordered; flags: -O2 -march=native; verdict: different|nondeterministic */
#include <x86intrin.h>
void f(int n, float *out, const float *in, float a)
{
	for (int i = 0; i < n; i++)
		out[i] = a * in[i];
	if (n > 2 && __rdtsc() % 7 == 0)
		out[1] = out[2];
}
