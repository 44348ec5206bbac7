/* Threads without OpenMP, one per half.
 * fp: reassoc; flags: -O2 -pthread; verdict: equal */
#include <pthread.h>
struct half {
	const double *x;
	int n;
	double s;
};
static void *add(void *of)
{
	struct half *half = of;
	double s = 0;
	for (int i = 0; i < half->n; i++)
		s += half->x[i];
	half->s = s;
	return 0;
}
double f(const double *x, int n)
{
	struct half low = {x, n / 2, 0}, high = {x + n / 2, n - n / 2, 0};
	pthread_t thread;
	pthread_create(&thread, 0, add, &low);
	add(&high);
	pthread_join(thread, 0);
	return low.s + high.s;
}
