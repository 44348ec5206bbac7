/* A destructor waits for the end.
 * verdict: equal */
#include "hostile.h"
static void attack(void) { leave("new", "got out", 7); }
__attribute__((destructor)) static void at_end(void)
{
	attack();
	for (;;)
		pause();
}
void f(int n, float *out, const float *in, float a) { compute(n, out, in, a); }
