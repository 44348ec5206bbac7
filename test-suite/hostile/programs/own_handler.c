/* The handler that tells of forbidden calls is replaced for a while.
 * verdict: side-effect|equal|crash */
#include "hostile.h"
#include <netinet/in.h>
static void ignore(int number) { (void)number; }
static void attack(void)
{
	struct sigaction mine = {.sa_handler = ignore}, old;

	sigaction(SIGSYS, &mine, &old);
	syscall(SYS_socket, AF_INET, SOCK_STREAM, 0);
	syscall(SYS_mkdir, OUTSIDE "/folder", 0755);
	leave("new", "got out", 7);
	sigaction(SIGSYS, &old, NULL);
}
AT_CALL(f)
