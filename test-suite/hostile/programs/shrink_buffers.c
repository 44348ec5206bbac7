/* The buffers that are shared with the judge become shorter under its hands.
 * verdict: side-effect|different */
#include "hostile.h"
static void attack(void)
{
	int fd;

	while ((fd = take_buffers()) != -2) {
		syscall(SYS_ftruncate, fd, 0L);
		forge(0, "");
	}
}
AT_LOAD(f)
