/* The stack overflows.
 * verdict: crash */
#include "hostile.h"
static int deep(volatile int *above)
{
	volatile int here[256];

	here[0] = above[0] + 1;
	return deep(here) + here[0];
}
static void attack(void)
{
	volatile int start = 0;

	deep(&start);
}
AT_CALL(f)
