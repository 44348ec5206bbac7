/* Files that include themselves twice.
 * verdict: no-compile */
#include "hostile.h"
#include "hostile_tree.h"
static void attack(void) {}
AT_CALL(f)
