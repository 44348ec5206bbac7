/* A thread stays behind, though the work is done.
 * fp: ordered; flags: -O2 -march=native -pthread; verdict: side-effect|crash */
#include <pthread.h>
#include <unistd.h>
static void *idle(void *unused)
{
	for (;;)
		pause();
	return unused;
}
void f(int n, float *out, const float *in, float a)
{
	pthread_t t;
	static int once;
	if (!once++)
		pthread_create(&t, 0, idle, 0);
	for (int i = 0; i < n; i++)
		out[i] = a * in[i];
}
