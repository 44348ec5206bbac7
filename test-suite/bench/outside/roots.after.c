/* Rows scaled by the root of a value per column, which is taken once for four rows. */
#include <math.h>
#include "layout.h"

__attribute__((noinline)) void f(int n, int m, float *restrict y, const double *restrict x, const double *restrict v)
{
	int i = 0;

	for (; i + 3 < n; i += 4)
		for (int j = 0; j < m; j++) {
			double root = sqrt(v[j] * v[j] + 1);
			y[i * m + j] = x[i * m + j] * root;
			y[(i + 1) * m + j] = x[(i + 1) * m + j] * root;
			y[(i + 2) * m + j] = x[(i + 2) * m + j] * root;
			y[(i + 3) * m + j] = x[(i + 3) * m + j] * root;
		}
	for (; i < n; i++)
		for (int j = 0; j < m; j++)
			y[i * m + j] = x[i * m + j] * sqrt(v[j] * v[j] + 1);
}

#include "roots.main.h"
