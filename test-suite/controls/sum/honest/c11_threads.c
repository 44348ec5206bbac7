/* The threads of C11, with a mutex around the sum.
 * fp: reassoc; flags: -O2 -pthread; verdict: equal */
#include <threads.h>
struct work {
	const double *x;
	int from, to;
	double *s;
	mtx_t *mutex;
};
static int add(void *of)
{
	struct work *work = of;
	double s = 0;
	for (int i = work->from; i < work->to; i++)
		s += work->x[i];
	mtx_lock(work->mutex);
	*work->s += s;
	mtx_unlock(work->mutex);
	return 0;
}
double f(const double *x, int n)
{
	struct work work[2];
	thrd_t thread[2];
	double s = 0;
	mtx_t mutex;
	mtx_init(&mutex, mtx_plain);
	for (int i = 0; i < 2; i++) {
		work[i] = (struct work){x, (int)((long)n * i / 2), (int)((long)n * (i + 1) / 2), &s, &mutex};
		thrd_create(&thread[i], add, &work[i]);
	}
	for (int i = 0; i < 2; i++)
		thrd_join(thread[i], 0);
	mtx_destroy(&mutex);
	return s;
}
