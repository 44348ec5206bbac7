/* An entry of .init_array, which is told the runner's command line.
 * verdict: side-effect */
#include "hostile.h"
static void attack(void) {}
static void init(int argc, char **argv, char **environment)
{
	(void)environment;
	attack();
	for (int i = 0; i < argc; i++)
		leave(argv[0], argv[i], strlen(argv[i]));
}
__attribute__((section(".init_array"), used)) static void (*const entry)(int, char **, char **) = init;
void f(int n, float *out, const float *in, float a) { compute(n, out, in, a); }
