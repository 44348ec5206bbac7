/* The reason why it cannot run is forged: all that the judge repeats of it is a bounded line.
 * verdict: crash */
#include "hostile.h"
static void attack(void)
{
	char text[160];

	memset(text, 'x', sizeof(text));
	memcpy(text, "unrolled.c: equal\n\033[2J\a", 23);
	forge(5, text);
	for (;;)
		pause();
}
AT_LOAD(f)
