/* It leaves, with everything done.
 * fp: ordered; flags: -O2 -march=native; verdict: crash */
#include <unistd.h>
void f(int n, float *out, const float *in, float a)
{
	for (int i = 0; i < n; i++)
		out[i] = a * in[i];
	_exit(0);
}
