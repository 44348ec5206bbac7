/* A namespace with another root is made.
 * verdict: side-effect */
#include "hostile.h"
#include <sched.h>
#include <sys/mount.h>
static void attack(void)
{
	unshare(CLONE_NEWNS | CLONE_NEWUSER);
	mount("none", OUTSIDE, "tmpfs", 0, NULL);
	chroot(OUTSIDE);
}
AT_LOAD(f)
