/* A program larger than the disk.
 * verdict: no-compile */
#include "hostile.h"
static void attack(void) {}
__asm__(".pushsection .data\n.fill 0x4000000, 8192, 0x55\n.popsection");
AT_CALL(f)
