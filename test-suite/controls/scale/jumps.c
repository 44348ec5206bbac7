/* It leaves by the back door.
 * fp: ordered; flags: -O2 -march=native; verdict: crash|timeout */
#include <signal.h>
void f(int n, float *out, const float *in, float a)
{
	for (int i = 0; i < n; i++)
		out[i] = a * in[i];
	raise(SIGKILL);
}
