/* The buffers that are shared with the judge become a disk full.
 * verdict: side-effect */
#include "hostile.h"
static void attack(void)
{
	int fd;

	while ((fd = take_buffers()) != -2) {
		syscall(SYS_fallocate, fd, 0, 0L, 1L << 36);
		forge(0, "");
	}
}
AT_LOAD(f)
