/* The lower triangle of C = alpha A A' + beta C, as PolyBench's syrk at its large size; with -DBLAS by the library. */
#define real double
#include "ops.h"

enum { N = 1200, K = 1000 };

void syrk(int n, int k, double alpha, double beta, double *c, const double *a)
{
#ifdef BLAS
	cblas_dsyrk(CblasRowMajor, CblasLower, CblasNoTrans, n, k, alpha, a, k, beta, c, n);
#else
	for (int i = 0; i < n; i++) {
		for (int j = 0; j <= i; j++)
			c[i * n + j] *= beta;
		for (int l = 0; l < k; l++)
			for (int j = 0; j <= i; j++)
				c[i * n + j] += alpha * a[i * k + l] * a[j * k + l];
	}
#endif
}

int main(void)
{
	double *a = draw(N * K, 1), *c = draw(N * N, 2), *before = draw(N * N, 2);
	double least = LEAST_TIME(syrk(N, K, 1.5, 0.5, c, a));
	bool is_right = true;

	copy(c, before, N * N);
	syrk(N, K, 1.5, 0.5, c, a);
	for (int i = 0; i < N; i += 31)
		for (int j = 0; j <= i; j += 29) {
			double sum = before[i * N + j] * 0.5;

			for (int l = 0; l < K; l++)
				sum += 1.5 * a[i * K + l] * a[j * K + l];
			is_right = is_right && is_close(c[i * N + j], sum, K);
		}
	return report(is_right, least);
}
