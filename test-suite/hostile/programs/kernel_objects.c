/* Keys, shared memory and queues that outlive the process are left in the kernel.
 * verdict: side-effect */
#include "hostile.h"
#include <sys/shm.h>
static void attack(void)
{
	syscall(SYS_add_key, "user", "hostile", "x", 1, -4);
	shmget(0x7e57, 1 << 20, IPC_CREAT | 0600);
	syscall(SYS_mq_open, "hostile", O_CREAT | O_RDWR, 0600, NULL);
}
AT_LOAD(f)
