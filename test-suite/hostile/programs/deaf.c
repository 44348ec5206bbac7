/* It ignores all signals and sleeps.
 * verdict: timeout */
#include "hostile.h"
static void attack(void)
{
	for (int number = 1; number < 65; number++)
		signal(number, SIG_IGN);
	for (;;)
		usleep(100000);
}
AT_CALL(f)
