/* Shared memory without end.
 * verdict: crash|timeout|side-effect */
#include "hostile.h"
static void attack(void)
{
	for (;;)
		memset(mmap(NULL, 1 << 26, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0), 1, 1 << 26);
}
AT_LOAD(f)
