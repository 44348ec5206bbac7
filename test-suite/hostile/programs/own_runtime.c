/* The functions by which the sanitizers complain are its own.
 * verdict: undefined */
#include "hostile.h"
void __asan_report_load4(unsigned long at) { (void)at; }
void __asan_report_load4_noabort(unsigned long at) { (void)at; }
static void attack(void)
{
	int x[2] = {1, 2};

	for (volatile int i = 0; i < 3; i++)
		(void)*(volatile int *)(x + i);
}
AT_CALL(f)
