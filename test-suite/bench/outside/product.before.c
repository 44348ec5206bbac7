/* A product of small matrices: the inner loop waits for each sum. */
#include "layout.h"

__attribute__((noinline)) void f(int n, double *restrict c, const float *restrict a, const float *restrict b)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++) {
			double sum = 0;
			for (int k = 0; k < n; k++)
				sum += a[i * n + k] * b[k * n + j];
			c[i * n + j] = sum;
		}
}

#include "product.main.h"
