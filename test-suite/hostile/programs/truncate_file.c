/* A file outside is emptied by its name.
 * verdict: side-effect */
#include "hostile.h"
static void attack(void) { syscall(SYS_truncate, OUTSIDE "/precious", 0L); }
AT_LOAD(f)
