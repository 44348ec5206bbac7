/* Somebody on the loopback device is called.
 * verdict: side-effect */
#include "hostile.h"
#include <netinet/in.h>
static void attack(void)
{
	struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = __builtin_bswap16(PORT), .sin_addr.s_addr = __builtin_bswap32(0x7f000001)};
	int fd = (int)syscall(SYS_socket, AF_INET, SOCK_STREAM, 0);

	connect(fd, (struct sockaddr *)&to, sizeof(to));
}
AT_LOAD(f)
