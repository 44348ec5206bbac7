/* What is left alone, and why. */
#include <stdio.h>

void external(int i);
union view { int i; float f; };
struct point { float x, y; };
static volatile int status;
int list_next[10];

void calls(int n) { for (int i = 0; i < n; i++) external(i); }
void whiles(int *x, int n) { while (n--) x[n] = 0; }
int search(const int *x, int n) { for (int i = 0; i < n; i++) if (x[i] == 3) return i; return -1; }
void jumps(int *x, int n) { for (int i = 0; i < n; i++) { if (x[i]) continue; x[i] = 1; } }
void switches(int *x, int n) { for (int i = 0; i < n; i++) switch (x[i]) { case 1: x[i] = 2; } }
void volatiles(int *x, int n) { for (int i = 0; i < n; i++) x[i] = status; }
void long_double(long double *x, int n) { for (int i = 0; i < n; i++) x[i] = 0; }
void complexes(_Complex float *x, int n) { for (int i = 0; i < n; i++) x[i] = 0; }
void unions(union view *x, int n) { for (int i = 0; i < n; i++) x[i].f = 0; }
void structs(struct point *x, int n) { for (int i = 0; i < n; i++) x[i].x = 0; }
void pointers(float ***x, int n) { for (int i = 0; i < n; i++) x[i][0][0] = 0; }
void reinterprets(float *x, int n) { for (int i = 0; i < n; i++) ((int *)x)[i] &= 0x7fffffff; }
void counters(int *x, int n) { for (int i = 0; i < n; i++) { x[i] = 0; i++; } }
void geometric(int *x, int n) { for (int i = 1; i < n; i *= 2) x[i] = 0; }
void bounds(int *x, int n) { for (int i = 0; i < n; i++) { x[i] = 0; n -= x[i + 1]; } }
void linked(int *x, int n) { for (int i = 0; i < n; i = list_next[i]) x[i] = 0; }
void wraps(float *x, unsigned n, unsigned m) { for (unsigned i = 0; i < n; i++) x[i * m - i * i] = 0; }
void useless(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; }
float *moves(float *x, int n) { for (int i = 0; i < n; i++) *x++ = 0; return x; }
void sometimes(int *x, int *y, int n) { int k = 0; for (int i = 0; i < n; i++) x[i] = y[i] && k++; }
void aliased(int *x, struct { int n; } *s) { for (int i = 0; i < s->n; i++) x[i] = 0; }
void printing(const int *x, int n) { for (int i = 0; i < n; i++) printf("%d\n", x[i]); }
void inner(int *x, int n) { for (int t = 0; t < n; t++) { for (int i = 0; i < n; i++) x[i] += t; external(t); } }
void asms(int *x, int n) { for (int i = 0; i < n; i++) { x[i] = 0; __asm__ volatile("" ::: "memory"); } }

#define EACH(i, n) for (int i = 0; i < n; i++)
void macros(int *x, int n) { EACH(i, n) x[i] = 0; }
void directives(int *x, int n)
{
	for (int i = 0; i < n; i++) {
#ifdef NEVER
		x[i] = 1;
#endif
		x[i] = 0;
	}
}
void meeting(int *x, int n) { for (int i = 0, j = n; i < j; i++, j--) x[i] = x[j]; }
void shrinking(int *x, int n) { int m = n; for (int i = 0; i < m; i++) { x[i] = 0; m--; } }
