/* The compiler is asked to show a secret in its complaint.
 * verdict: no-compile; needs: landlock */
#include "hostile.h"
#include SECRET
static void attack(void) {}
AT_CALL(f)
