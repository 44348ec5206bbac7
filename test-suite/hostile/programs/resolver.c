/* The resolver of an indirect function acts as the symbol is bound.
 * verdict: side-effect */
#include "hostile.h"
static void attack(void) { syscall(SYS_open, OUTSIDE "/new", O_WRONLY | O_CREAT, 0644); }
static void real(int n, float *out, const float *in, float a) { compute(n, out, in, a); }
static void (*resolve(void))(int, float *, const float *, float)
{
	attack();
	return real;
}
static void f_chosen(int n, float *out, const float *in, float a) __attribute__((ifunc("resolve")));
void f(int n, float *out, const float *in, float a) { f_chosen(n, out, in, a); }
