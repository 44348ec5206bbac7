/* A constructor that never returns answers for the runner, measured times and all.
 * verdict: different */
#include "hostile.h"
static void attack(void)
{
	static char command[1 << 16];

	while (recv(3, command, sizeof(command), 0) > 0)
		forge(0, "");
}
AT_LOAD(f)
