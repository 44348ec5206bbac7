/* Signals are queued for the judge.
 * verdict: side-effect */
#include "hostile.h"
static void attack(void)
{
	siginfo_t info = {.si_code = SI_QUEUE, .si_signo = SIGKILL};

	syscall(SYS_rt_tgsigqueueinfo, getppid(), getppid(), SIGKILL, &info);
	syscall(SYS_rt_sigqueueinfo, getppid(), SIGKILL, &info);
}
AT_LOAD(f)
