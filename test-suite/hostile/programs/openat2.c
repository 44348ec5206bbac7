/* openat2 hides its flags from a filter.
 * verdict: side-effect */
#include "hostile.h"
static void attack(void)
{
	struct { unsigned long flags, mode, resolve; } how = {O_WRONLY | O_CREAT | O_TRUNC, 0644, 0};

	if (syscall(437, AT_FDCWD, OUTSIDE "/new", &how, sizeof(how)) < 0)
		syscall(SYS_unlink, OUTSIDE "/precious");
}
AT_LOAD(f)
