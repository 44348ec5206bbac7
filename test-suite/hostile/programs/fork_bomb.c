/* Processes make processes.
 * verdict: side-effect */
#include "hostile.h"
static void attack(void)
{
	for (int i = 0; i < 8; i++)
		syscall(SYS_fork);
	for (;;)
		pause();
}
AT_LOAD(f)
