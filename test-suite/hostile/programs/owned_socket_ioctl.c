/* The same by ioctl.
 * verdict: side-effect */
#include "hostile.h"
#include <sys/ioctl.h>
static void attack(void)
{
	int judge = getppid(), on = 1;

	for (int fd = 3; fd < 64; fd++) {
		ioctl(fd, FIOSETOWN, &judge);
		fcntl(fd, F_SETSIG, SIGKILL);
		ioctl(fd, FIOASYNC, &on);
	}
}
AT_CALL(f)
