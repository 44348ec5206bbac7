/* It talks to the network.
 * fp: ordered; flags: -O2 -march=native; verdict: side-effect */
#include <sys/socket.h>
void f(int n, float *out, const float *in, float a)
{
	socket(AF_INET, SOCK_STREAM, 0);
	for (int i = 0; i < n; i++)
		out[i] = a * in[i];
}
