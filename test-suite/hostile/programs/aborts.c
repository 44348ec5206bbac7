/* It aborts.
 * verdict: crash */
#include "hostile.h"
static void attack(void) { abort(); }
AT_CALL(f)
