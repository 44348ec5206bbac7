/* The judge is bound to one processor.
 * verdict: side-effect */
#include "hostile.h"
#include <sched.h>
static void attack(void)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(0, &one);
	sched_setaffinity(getppid(), sizeof(one), &one);
}
AT_CALL(f)
