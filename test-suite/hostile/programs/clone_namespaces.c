/* clone makes a process in namespaces of its own.
 * verdict: side-effect */
#include "hostile.h"
#include <sched.h>
static void attack(void)
{
	if (syscall(SYS_clone, CLONE_NEWUSER | CLONE_NEWPID | CLONE_PARENT, 0, 0, 0, 0) == 0)
		for (;;)
			pause();
}
AT_LOAD(f)
