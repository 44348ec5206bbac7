/* Folders, links and devices are made outside, by calls of all ages.
 * verdict: side-effect */
#include "hostile.h"
static void attack(void)
{
	syscall(SYS_mkdir, OUTSIDE "/folder", 0755);
	syscall(SYS_symlink, OUTSIDE "/secret", OUTSIDE "/link");
	syscall(SYS_linkat, AT_FDCWD, OUTSIDE "/secret", AT_FDCWD, OUTSIDE "/hard", 0);
	syscall(SYS_mknod, OUTSIDE "/pipe", 0010644, 0);
	syscall(SYS_mkdirat, AT_FDCWD, OUTSIDE "/other", 0755);
}
AT_LOAD(f)
