/* An alarm is left behind.
 * fp: ordered; flags: -O2 -march=native; verdict: side-effect */
#include <unistd.h>
void f(int n, float *out, const float *in, float a)
{
	for (int i = 0; i < n; i++)
		out[i] = a * in[i];
	alarm(1000);
}
