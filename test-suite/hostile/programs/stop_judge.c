/* The judge is stopped, by a signal to one of its threads.
 * verdict: side-effect */
#include "hostile.h"
static void attack(void) { syscall(SYS_tgkill, getppid(), getppid(), SIGSTOP); }
AT_CALL(f)
