/* Threads without end, with hardly a stack.
 * verdict: crash|timeout */
#include "hostile.h"
#include <sched.h>
static char stacks[4096][1024];
static int idle(void *unused)
{
	for (;;)
		syscall(SYS_nanosleep, &(struct timespec){1000, 0}, NULL);
	return unused != NULL;
}
static void attack(void)
{
	for (int i = 0; i < 4096; i++)
		clone(idle, stacks[i] + 1008, CLONE_VM | CLONE_THREAD | CLONE_SIGHAND | CLONE_FILES | CLONE_FS, NULL);
	for (;;)
		pause();
}
AT_LOAD(f)
