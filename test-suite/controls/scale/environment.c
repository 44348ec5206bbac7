/* The environment is changed.
 * fp: ordered; flags: -O2 -march=native; verdict: side-effect */
#include <stdlib.h>
void f(int n, float *out, const float *in, float a)
{
	for (int i = 0; i < n; i++)
		out[i] = a * in[i];
	setenv("STROP_CONTROL", "1", 1);
}
