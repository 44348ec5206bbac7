/* What all of these programs share: where code and arrays lie moves their speed by more than what is to be compared, so LAYOUT
 * (0, 1, ..) lines of code lie before f, and arrays are so large that malloc gives them pages of their own. */
#include <stdlib.h>

#ifndef LAYOUT
#define LAYOUT 0
#endif
#define TEXT(x) #x
#define VALUE(x) TEXT(x)
__asm__(".text\n.skip 112 * " VALUE(LAYOUT) ", 0x90");

static void *array(size_t bytes)
{
	return malloc(bytes + (256 << 10));
}
