/* The gate of 32-bit programs: the judge is killed.
 * verdict: side-effect|crash */
#include "hostile.h"
static void attack(void) { gate(37, getppid(), SIGKILL, 0); }
AT_CALL(f)
