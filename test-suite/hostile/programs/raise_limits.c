/* Its own limits are raised.
 * verdict: side-effect */
#include "hostile.h"
#include <sys/resource.h>
static void attack(void)
{
	struct rlimit none = {RLIM_INFINITY, RLIM_INFINITY};

	prlimit(0, RLIMIT_AS, &none, NULL);
	prlimit(0, RLIMIT_FSIZE, &none, NULL);
	leave("new", "got out", 7);
}
AT_LOAD(f)
