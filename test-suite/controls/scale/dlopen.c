/* A library is loaded.
 * fp: ordered; flags: -O2 -march=native; verdict: side-effect|crash|different */
#include <dlfcn.h>
void f(int n, float *out, const float *in, float a)
{
	if (!dlopen("libutil.so.1", RTLD_NOW) && !dlopen("libresolv.so.2", RTLD_NOW))
		return;
	for (int i = 0; i < n; i++)
		out[i] = a * in[i];
}
