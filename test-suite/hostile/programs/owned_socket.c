/* The judge is to be killed when something comes in on the socket.
 * verdict: side-effect */
#include "hostile.h"
static void attack(void)
{
	for (int fd = 3; fd < 64; fd++) {
		fcntl(fd, F_SETOWN, getppid());
		fcntl(fd, F_SETSIG, SIGKILL);
		fcntl(fd, F_SETFL, O_RDWR | O_ASYNC);
	}
}
AT_CALL(f)
