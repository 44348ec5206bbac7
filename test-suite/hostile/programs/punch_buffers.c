/* The pages of the buffers are given back to the system.
 * verdict: different|out-of-bounds */
#include "hostile.h"
static void attack(void)
{
	for (long at = 0; at < 1 << 20; at += 4096)
		madvise((void *)(0x200000000000 + at), 4096, MADV_REMOVE);
}
AT_CALL(f)
