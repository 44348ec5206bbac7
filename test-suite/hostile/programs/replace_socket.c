/* The socket is replaced by another file.
 * verdict: crash */
#include "hostile.h"
static void attack(void)
{
	dup2(1, 3);
	dup2(0, 4);
}
AT_CALL(f)
