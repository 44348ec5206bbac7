/* A flag without order tells that the other half is there, and the compiler and the processor happen to keep it.
 * fp: reassoc; flags: -O2 -pthread; verdict: different|nondeterministic|undefined */
#include <pthread.h>
#include <sched.h>
struct half {
	const double *x;
	int n;
	double s;
	volatile int is_done;
};
static void *add(void *of)
{
	struct half *half = of;
	double s = 0;
	for (int i = 0; i < half->n; i++)
		s += half->x[i];
	half->s = s;
	half->is_done = 1;
	return 0;
}
double f(const double *x, int n)
{
	struct half low = {x, n / 2, 0, 0}, high = {x + n / 2, n - n / 2, 0, 0};
	pthread_t thread;
	double s;
	if (pthread_create(&thread, 0, add, &low) != 0)
		return 0;
	add(&high);
	while (!low.is_done)
		sched_yield();
	s = low.s + high.s;
	pthread_join(thread, 0);
	return s;
}
