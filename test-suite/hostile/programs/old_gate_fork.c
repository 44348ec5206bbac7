/* The gate of 32-bit programs: a process that stays behind.
 * verdict: side-effect|crash */
#include "hostile.h"
static void attack(void)
{
	if (gate(2, 0, 0, 0) == 0)
		for (;;)
			pause();
}
AT_LOAD(f)
