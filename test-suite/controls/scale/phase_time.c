/* A clock decides whether the work is done.
 * fp: ordered; flags: -O2 -march=native; verdict: different|nondeterministic|side-effect */
#include <time.h>
void f(int n, float *out, const float *in, float a)
{
	struct timespec t;
	clock_gettime(CLOCK_REALTIME, &t);
	if (t.tv_nsec & 1)
		return;
	for (int i = 0; i < n; i++)
		out[i] = a * in[i];
}
