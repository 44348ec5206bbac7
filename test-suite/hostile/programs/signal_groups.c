/* All processes that can be reached get a signal.
 * verdict: side-effect */
#include "hostile.h"
static void attack(void)
{
	kill(-1, SIGURG);
	kill(0, SIGURG);
	killpg(getpgid(getppid()), SIGURG);
}
AT_LOAD(f)
