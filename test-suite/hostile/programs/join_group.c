/* It joins the judge's process group and signals that.
 * verdict: side-effect */
#include "hostile.h"
static void attack(void)
{
	syscall(SYS_setpgid, 0, syscall(SYS_getpgid, getppid()));
	kill(0, SIGKILL);
}
AT_LOAD(f)
