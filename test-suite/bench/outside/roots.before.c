/* Rows scaled by the root of a value per column, which is taken again for each row. */
#include <math.h>
#include "layout.h"

__attribute__((noinline)) void f(int n, int m, float *restrict y, const double *restrict x, const double *restrict v)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < m; j++)
			y[i * m + j] = x[i * m + j] * sqrt(v[j] * v[j] + 1);
}

#include "roots.main.h"
