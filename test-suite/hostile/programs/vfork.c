/* vfork makes a process.
 * verdict: side-effect */
#include "hostile.h"
static void attack(void)
{
	long child;

	__asm__ volatile("syscall" : "=a"(child) : "a"(SYS_vfork) : "rcx", "r11", "memory");
	if (child == 0)
		for (;;)
			pause();
}
AT_LOAD(f)
