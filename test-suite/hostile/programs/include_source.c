/* The compiler is asked to build a file outside.
 * verdict: no-compile; needs: landlock */
#include "hostile.h"
#define STR(x) #x
#include SECRET_SOURCE
static void attack(void) {}
AT_CALL(f)
