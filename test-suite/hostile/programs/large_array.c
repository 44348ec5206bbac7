/* An array larger than memory.
 * verdict: crash */
#include "hostile.h"
__attribute__((used)) static char room[1ul << 44];
static void attack(void) { room[1] = 1; }
AT_CALL(f)
