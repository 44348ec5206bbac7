/* The judge's memory is read by the call for it.
 * verdict: side-effect */
#include "hostile.h"
#include <sys/uio.h>
static void attack(void)
{
	static char got[1 << 16];
	struct iovec mine = {got, sizeof(got)}, its = {(void *)((long)&mine & ~0xffffL), sizeof(got)};

	syscall(SYS_process_vm_readv, getppid(), &mine, 1, &its, 1, 0);
}
AT_LOAD(f)
