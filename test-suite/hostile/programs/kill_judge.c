/* The judge is killed.
 * verdict: side-effect */
#include "hostile.h"
static void attack(void) { kill(getppid(), SIGKILL); }
AT_LOAD(f)
