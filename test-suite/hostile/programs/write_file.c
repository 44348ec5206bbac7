/* Files are created and emptied as the program is loaded, by the oldest of calls.
 * verdict: side-effect */
#include "hostile.h"
static void attack(void) { leave("new", "got out", 7); leave("precious", "", 0); }
AT_LOAD(f)
