/* Macros that double forty times.
 * verdict: no-compile */
#include "hostile.h"
#define A1 x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x
#define A2 A1, A1, A1, A1, A1, A1, A1, A1, A1, A1, A1, A1, A1, A1, A1, A1
#define A3 A2, A2, A2, A2, A2, A2, A2, A2, A2, A2, A2, A2, A2, A2, A2, A2
#define A4 A3, A3, A3, A3, A3, A3, A3, A3, A3, A3, A3, A3, A3, A3, A3, A3
#define A5 A4, A4, A4, A4, A4, A4, A4, A4, A4, A4, A4, A4, A4, A4, A4, A4
#define A6 A5, A5, A5, A5, A5, A5, A5, A5, A5, A5, A5, A5, A5, A5, A5, A5
#define A7 A6, A6, A6, A6, A6, A6, A6, A6, A6, A6, A6, A6, A6, A6, A6, A6
#define A8 A7, A7, A7, A7, A7, A7, A7, A7, A7, A7, A7, A7, A7, A7, A7, A7
enum { x };
static const int bomb[] = {A8};
static void attack(void) { (void)*(volatile const int *)bomb; }
AT_CALL(f)
