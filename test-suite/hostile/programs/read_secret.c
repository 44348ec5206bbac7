/* A secret is read as the program is loaded, and told to the judge as the reason why it cannot run.
 * verdict: equal; needs: landlock */
#include "hostile.h"
static void attack(void)
{
	int fd = open(OUTSIDE "/secret", O_RDONLY);

	if (fd >= 0)
		betray_file(fd);
}
AT_LOAD(f)
