/* The buffers that are shared with the judge are sealed, so that it cannot reset them.
 * verdict: side-effect */
#include "hostile.h"
static void attack(void)
{
	int fd;

	while ((fd = take_buffers()) != -2) {
		fcntl(fd, F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_FUTURE_WRITE | F_SEAL_SHRINK | F_SEAL_GROW);
		forge(0, "");
	}
}
AT_LOAD(f)
