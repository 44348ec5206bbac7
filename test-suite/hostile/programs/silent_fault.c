/* What the sanitizers would say goes nowhere.
 * verdict: undefined|side-effect */
#include "hostile.h"
static void attack(void)
{
	int x[2] = {1, 2};

	close(2);
	for (volatile int i = 0; i < 3; i++)
		(void)*(volatile int *)(x + i);
}
AT_LOAD(f)
