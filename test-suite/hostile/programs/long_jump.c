/* It jumps into the runner's frames.
 * verdict: crash */
#include "hostile.h"
static void attack(void)
{
	void **frame = __builtin_frame_address(0);

	for (int i = 0; i < 64; i++)
		frame[i] = (void *)(0x4141414141410000 + i);
}
AT_CALL(f)
