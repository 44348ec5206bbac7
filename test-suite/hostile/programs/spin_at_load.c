/* A constructor never ends, at work.
 * verdict: timeout */
#include "hostile.h"
static void attack(void)
{
	for (volatile int i = 0;; i++)
		;
}
AT_LOAD(f)
