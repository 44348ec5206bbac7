/* The buffers are unmapped.
 * verdict: out-of-bounds */
#include "hostile.h"
static void attack(void) { munmap((void *)0x200000000000, 1 << 20); }
AT_CALL(f)
