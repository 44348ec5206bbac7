/* A secret is read in a call.
 * verdict: equal */
#include "hostile.h"
static void attack(void)
{
	int fd = open(OUTSIDE "/secret", O_RDONLY);

	if (fd >= 0)
		betray_file(fd);
}
AT_CALL(f)
