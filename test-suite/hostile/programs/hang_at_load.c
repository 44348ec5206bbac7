/* A constructor never ends.
 * verdict: timeout */
#include "hostile.h"
static void attack(void)
{
	for (;;)
		pause();
}
AT_LOAD(f)
