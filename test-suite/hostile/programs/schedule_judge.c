/* The judge is to run when nobody else wants to.
 * verdict: side-effect */
#include "hostile.h"
#include <sched.h>
static void attack(void)
{
	struct sched_param none = {0};

	sched_setscheduler(getppid(), SCHED_IDLE, &none);
	syscall(SYS_setpriority, 0, getppid(), 19);
}
AT_LOAD(f)
