/* A ring of requests has the kernel make the calls: a file outside.
 * verdict: side-effect */
#include "hostile.h"
#include <linux/io_uring.h>
static void attack(void)
{
	struct io_uring_params p = {0};
	int fd = (int)syscall(SYS_io_uring_setup, 4, &p);
	char *ring = mmap(NULL, 1 << 16, PROT_READ | PROT_WRITE, MAP_SHARED, fd, IORING_OFF_SQ_RING);
	struct io_uring_sqe *entry = mmap(NULL, 1 << 12, PROT_READ | PROT_WRITE, MAP_SHARED, fd, IORING_OFF_SQES);

	if (ring == MAP_FAILED || entry == MAP_FAILED)
		return;
	memset(entry, 0, sizeof(*entry));
	entry->opcode = IORING_OP_OPENAT;
	entry->fd = AT_FDCWD;
	entry->addr = (unsigned long)OUTSIDE "/new";
	entry->len = 0644;
	entry->open_flags = O_CREAT | O_WRONLY;
	*(unsigned *)(ring + p.sq_off.array) = 0;
	++*(unsigned *)(ring + p.sq_off.tail);
	syscall(SYS_io_uring_enter, fd, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0);
}
AT_LOAD(f)
