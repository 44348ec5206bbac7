/* A thread that is older than the closed sandbox keeps the freedoms of before.
 * verdict: side-effect */
#include "hostile.h"
#include <pthread.h>
static void *work(void *unused)
{
	sleep(1);
	syscall(SYS_chmod, OUTSIDE "/precious", 0777);
	leave("new", "got out", 7);
	return unused;
}
static pthread_t thread;
static void attack(void) { pthread_create(&thread, NULL, work, NULL); }
__attribute__((constructor)) static void at_load(void) { attack(); }
void f(int n, float *out, const float *in, float a) { compute(n, out, in, a); usleep(100000); }
