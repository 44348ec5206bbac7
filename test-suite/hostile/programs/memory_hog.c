/* Memory without end.
 * verdict: crash|timeout */
#include "hostile.h"
static void attack(void)
{
	for (;;)
		memset(malloc(1 << 26), 1, 1 << 26);
}
AT_CALL(f)
