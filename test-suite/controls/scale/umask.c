/* The file mode mask is changed.
 * fp: ordered; flags: -O2 -march=native; verdict: side-effect */
#include <sys/stat.h>
void f(int n, float *out, const float *in, float a)
{
	for (int i = 0; i < n; i++)
		out[i] = a * in[i];
	umask(0);
}
