/* It writes a reply in the place of the runner on each descriptor and leaves.
 * fp: ordered; flags: -O2 -march=native; verdict: different|crash|side-effect */
#include <string.h>
#include <unistd.h>
void f(int n, float *out, const float *in, float a)
{
	char reply[1024];
	memset(reply, 0, sizeof(reply));
	(void)n; (void)out; (void)in; (void)a;
	for (int fd = 3; fd < 64; fd++)
		if (write(fd, reply, sizeof(reply)) < 0)
			continue;
	_exit(0);
}
