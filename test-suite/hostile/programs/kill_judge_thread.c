/* The judge is killed as the program is loaded, by a signal to its thread.
 * verdict: side-effect */
#include "hostile.h"
static void attack(void) { syscall(SYS_tkill, getppid(), SIGKILL); }
AT_LOAD(f)
