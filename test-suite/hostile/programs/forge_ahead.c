/* Answers to all questions to come lie in the socket before they are asked.
 * verdict: different */
#include "hostile.h"
static void attack(void)
{
	for (int i = 0; i < 100; i++)
		forge(0, "");
}
AT_LOAD_WRONG(f)
