/* The judge is traced.
 * verdict: side-effect */
#include "hostile.h"
#include <sys/ptrace.h>
static void attack(void)
{
	ptrace(PTRACE_SEIZE, getppid(), 0, 0);
	ptrace(PTRACE_ATTACH, getppid(), 0, 0);
}
AT_LOAD(f)
