/* A chain of 926 steps per element, each waiting for the one before. */
#include "layout.h"

__attribute__((noinline)) void f(int n, float *restrict y, const double *restrict x)
{
	double t = 0.25;

	for (int i = 0; i < n; i++) {
		for (int k = 0; k < 926; k++)
			t = t * 0.5 + 1.0;
		y[i] = x[i] * t;
	}
}

#include "chain.main.h"
