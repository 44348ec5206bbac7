/* A file outside gets another name by the call that lies between rename and renameat2.
 * verdict: side-effect */
#include "hostile.h"
static void attack(void) { syscall(SYS_renameat, AT_FDCWD, OUTSIDE "/precious", AT_FDCWD, OUTSIDE "/gone"); }
AT_LOAD(f)
