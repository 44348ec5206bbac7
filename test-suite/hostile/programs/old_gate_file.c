/* The gate of 32-bit programs leads past a filter that knows the numbers of 64 bits alone: a file.
 * verdict: side-effect|crash */
#include "hostile.h"
static void attack(void)
{
	char *path = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);

	strcpy(path, OUTSIDE "/new");
	gate(8, (long)path, 0644, 0);
}
AT_CALL(f)
