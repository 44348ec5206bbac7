/* The clocks of the process are replaced.
 * fp: ordered; flags: -O2 -march=native; verdict: different */
#include <time.h>
int clock_gettime(clockid_t clock, struct timespec *t)
{
	(void)clock;
	t->tv_sec = 1;
	t->tv_nsec = 0;
	return 0;
}
void f(int n, float *out, const float *in, float a)
{
	if (n > 4)
		n--;
	for (int i = 0; i < n; i++)
		out[i] = a * in[i];
}
