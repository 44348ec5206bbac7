/* The socket that it has is called to somebody else.
 * verdict: side-effect */
#include "hostile.h"
#include <netinet/in.h>
static void attack(void)
{
	struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = __builtin_bswap16(PORT), .sin_addr.s_addr = __builtin_bswap32(0x7f000001)};

	for (int fd = 0; fd < 64; fd++)
		connect(fd, (struct sockaddr *)&to, sizeof(to));
}
AT_CALL(f)
