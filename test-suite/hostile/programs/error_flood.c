/* Errors without end.
 * verdict: no-compile */
#include "hostile.h"
#define E1 @ y @ y @ y @ y @ y @ y @ y @ y
#define E2 E1; E1; E1; E1; E1; E1; E1; E1
#define E3 E2; E2; E2; E2; E2; E2; E2; E2
#define E4 E3; E3; E3; E3; E3; E3; E3; E3
#define E5 E4; E4; E4; E4; E4; E4; E4; E4
static void attack(void) { E5; E5; E5; E5; E5; E5; E5; E5; }
AT_CALL(f)
