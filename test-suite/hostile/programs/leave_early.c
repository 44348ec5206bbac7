/* It leaves by exit in its second call, behind a handler that forges an answer.
 * verdict: crash */
#include "hostile.h"
static void attack(void) { forge(0, ""); }
void f(int n, float *out, const float *in, float a)
{
	static int calls;

	(void)in;
	(void)a;
	compute(n, out, in, a);
	if (++calls == 2) {
		atexit(attack);
		exit(0);
	}
}
