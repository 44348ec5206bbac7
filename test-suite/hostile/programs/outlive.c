/* It does not die with its parent, in a session of its own.
 * verdict: side-effect */
#include "hostile.h"
#include <sys/prctl.h>
static void attack(void)
{
	prctl(PR_SET_PDEATHSIG, 0);
	syscall(SYS_setsid);
	syscall(SYS_kill, getppid(), SIGKILL);
	for (;;)
		pause();
}
AT_LOAD(f)
