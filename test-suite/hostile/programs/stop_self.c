/* It stops itself.
 * verdict: timeout */
#include "hostile.h"
static void attack(void) { raise(SIGSTOP); }
AT_CALL(f)
