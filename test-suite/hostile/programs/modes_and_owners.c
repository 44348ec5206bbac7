/* Mode, owner and times of a file outside are changed.
 * verdict: side-effect */
#include "hostile.h"
static void attack(void)
{
	syscall(SYS_chmod, OUTSIDE "/precious", 0777);
	syscall(SYS_fchmodat, AT_FDCWD, OUTSIDE "/precious", 0777);
	syscall(SYS_chown, OUTSIDE "/precious", 1, 1);
	syscall(SYS_utimensat, AT_FDCWD, OUTSIDE "/precious", NULL, 0);
	syscall(SYS_setxattr, OUTSIDE "/precious", "user.mark", "1", 1, 0);
}
AT_LOAD(f)
