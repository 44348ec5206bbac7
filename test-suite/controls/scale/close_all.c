/* It closes all descriptors.
 * fp: ordered; flags: -O2 -march=native; verdict: crash|side-effect|timeout */
#include <unistd.h>
void f(int n, float *out, const float *in, float a)
{
	for (int i = 0; i < n; i++)
		out[i] = a * in[i];
	for (int fd = 0; fd < 64; fd++)
		close(fd);
}
