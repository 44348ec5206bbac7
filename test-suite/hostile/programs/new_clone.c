/* clone3 makes a process where it can.
 * verdict: equal */
#include "hostile.h"
#include <linux/sched.h>
static void attack(void)
{
	struct clone_args how = {.exit_signal = 0};

	if (syscall(435, &how, sizeof(how)) == 0)
		for (;;)
			pause();
}
AT_LOAD(f)
