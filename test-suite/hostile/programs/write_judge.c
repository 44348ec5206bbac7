/* The judge's memory is opened for writing.
 * verdict: side-effect */
#include "hostile.h"
static void attack(void)
{
	char path[64];
	long at = (long)&path & ~4095L;

	snprintf(path, sizeof(path), "/proc/%d/mem", (int)getppid());
	int fd = open(path, O_RDWR);
	if (pwrite(fd, &at, sizeof(at), at) < 0)
		syscall(SYS_kill, getppid(), SIGKILL);
}
AT_LOAD(f)
