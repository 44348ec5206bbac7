/* Output without end.
 * verdict: timeout */
#include "hostile.h"
static void attack(void)
{
	static char text[1 << 16];

	memset(text, 'x', sizeof(text));
	for (;;)
		if (write(1, text, sizeof(text)) + write(2, text, sizeof(text)) == 0)
			return;
}
AT_CALL(f)
