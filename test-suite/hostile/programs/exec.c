/* Another program takes the place of this one.
 * verdict: side-effect */
#include "hostile.h"
static void attack(void)
{
	char *argv[] = {"sh", "-c", "echo got out >" OUTSIDE "/new", NULL};

	syscall(SYS_execve, "/bin/sh", argv, NULL);
}
AT_LOAD(f)
