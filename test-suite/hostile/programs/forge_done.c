/* A good answer is forged in each call, and nothing computed.
 * verdict: different */
#include "hostile.h"
static void attack(void) {}
void f(int n, float *out, const float *in, float a)
{
	(void)n, (void)out, (void)in, (void)a;
	attack();
	forge(0, "");
}
