/* A thread that outlives the call does the work.
 * fp: ordered; flags: -O2 -march=native -pthread; verdict: different|side-effect|crash */
#include <pthread.h>
#include <unistd.h>
static int n_;
static float *out_, a_;
static const float *in_;
static void *work(void *unused)
{
	usleep(2000);
	for (int i = 0; i < n_; i++)
		out_[i] = a_ * in_[i];
	return unused;
}
void f(int n, float *out, const float *in, float a)
{
	pthread_t t;
	n_ = n;
	out_ = out;
	in_ = in;
	a_ = a;
	pthread_create(&t, 0, work, 0);
	pthread_detach(t);
}
