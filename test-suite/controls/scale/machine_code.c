/* Machine code is made and run.
 * fp: ordered; flags: -O2 -march=native; verdict: side-effect|crash */
#define _GNU_SOURCE
#include <sys/mman.h>
#include <string.h>
void f(int n, float *out, const float *in, float a)
{
	static void *code;
	if (!code) {
		code = mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		memcpy(code, "\xc3", 1);
	}
	((void (*)(void))code)();
	for (int i = 0; i < n; i++)
		out[i] = a * in[i];
}
