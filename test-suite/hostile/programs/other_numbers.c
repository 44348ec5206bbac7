/* The numbers of x32 name the same calls.
 * verdict: side-effect */
#include "hostile.h"
static void attack(void)
{
	if (syscall(0x40000000 + SYS_fork) == 0)
		for (;;)
			pause();
}
AT_CALL(f)
