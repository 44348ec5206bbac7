/* A signal handler is left behind.
 * fp: ordered; flags: -O2 -march=native; verdict: side-effect */
#include <signal.h>
static void ignore(int s) { (void)s; }
void f(int n, float *out, const float *in, float a)
{
	for (int i = 0; i < n; i++)
		out[i] = a * in[i];
	signal(SIGUSR1, ignore);
}
