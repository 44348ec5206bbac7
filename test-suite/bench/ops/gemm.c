/* C = alpha A B + beta C, as PolyBench's gemm at its large size; with -DBLAS by the library. */
#define real double
#include "ops.h"

enum { M = 1000, N = 1100, K = 1200 };

void gemm(int m, int n, int k, double alpha, double beta, double *c, const double *a, const double *b)
{
#ifdef BLAS
	cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, alpha, a, k, b, n, beta, c, n);
#else
	for (int i = 0; i < m; i++) {
		for (int j = 0; j < n; j++)
			c[i * n + j] *= beta;
		for (int l = 0; l < k; l++)
			for (int j = 0; j < n; j++)
				c[i * n + j] += alpha * a[i * k + l] * b[l * n + j];
	}
#endif
}

int main(void)
{
	double *a = draw(M * K, 1), *b = draw(K * N, 2), *c = draw(M * N, 3), *before = draw(M * N, 3);
	double least = LEAST_TIME(gemm(M, N, K, 1.5, 0.5, c, a, b));
	bool is_right = true;

	copy(c, before, M * N);
	gemm(M, N, K, 1.5, 0.5, c, a, b);
	for (int i = 0; i < M; i += 31)
		for (int j = 0; j < N; j += 29) {
			double sum = before[i * N + j] * 0.5;

			for (int l = 0; l < K; l++)
				sum += 1.5 * a[i * K + l] * b[l * N + j];
			is_right = is_right && is_close(c[i * N + j], sum, K);
		}
	return report(is_right, least);
}
