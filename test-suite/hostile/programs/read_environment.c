/* A secret is looked for in the environment.
 * verdict: equal */
#include "hostile.h"
extern char **environ;
static void attack(void)
{
	for (char **entry = environ; *entry; entry++)
		if (strstr(*entry, "HOSTILE_SECRET"))
			betray(*entry, strlen(*entry));
}
AT_LOAD(f)
