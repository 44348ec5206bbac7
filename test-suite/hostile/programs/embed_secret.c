/* The assembler is asked to put a secret into the program, which tells it to the judge.
 * verdict: no-compile; needs: landlock */
#include "hostile.h"
extern const char stolen[];
__asm__(".pushsection .rodata\nstolen: .incbin \"" OUTSIDE "/secret\"\n.byte 0\n.popsection");
static void attack(void) { betray(stolen, strlen(stolen)); }
AT_LOAD(f)
