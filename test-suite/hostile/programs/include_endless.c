/* The compiler reads a file without end.
 * verdict: no-compile */
#include "hostile.h"
#include "/dev/zero"
static void attack(void) {}
AT_CALL(f)
