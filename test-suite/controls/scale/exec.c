/* It starts a program.
 * fp: ordered; flags: -O2 -march=native; verdict: side-effect|crash */
#include <unistd.h>
void f(int n, float *out, const float *in, float a)
{
	char *argv[] = { "/bin/true", 0 };
	for (int i = 0; i < n; i++)
		out[i] = a * in[i];
	execv(argv[0], argv);
}
