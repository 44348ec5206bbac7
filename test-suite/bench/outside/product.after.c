/* A product of small matrices: whole rows at a time. */
#include "layout.h"

__attribute__((noinline)) void f(int n, double *restrict c, const float *restrict a, const float *restrict b)
{
	for (int i = 0; i < n; i++) {
		for (int j = 0; j < n; j++)
			c[i * n + j] = 0;
		for (int k = 0; k < n; k++)
			for (int j = 0; j < n; j++)
				c[i * n + j] += a[i * n + k] * b[k * n + j];
	}
}

#include "product.main.h"
