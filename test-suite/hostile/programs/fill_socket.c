/* The socket is filled with garbage.
 * verdict: crash|timeout */
#include "hostile.h"
static void attack(void)
{
	static char garbage[1 << 16];

	memset(garbage, 0xff, sizeof(garbage));
	for (;;)
		if (send(3, garbage, sizeof(garbage), MSG_NOSIGNAL) < 0)
			_exit(0);
}
AT_CALL(f)
