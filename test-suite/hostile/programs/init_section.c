/* Code in the section .init.
 * verdict: side-effect */
#include "hostile.h"
static void attack(void) { leave("new", "got out", 7); }
__attribute__((used, visibility("hidden"))) void hostile_init(void) { attack(); }
__asm__(".section .init,\"ax\",@progbits\n\tcall hostile_init\n\t.text");
void f(int n, float *out, const float *in, float a) { compute(n, out, in, a); }
