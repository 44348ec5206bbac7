/* All descriptors are closed, and it lives on.
 * verdict: crash|timeout|side-effect */
#include "hostile.h"
static void attack(void)
{
	for (int fd = 0; fd < 64; fd++)
		close(fd);
	for (;;)
		pause();
}
AT_CALL(f)
