/* D = alpha A B C + beta D, as PolyBench's 2mm at its large size; with -DBLAS by the library. */
#define real double
#include "ops.h"

enum { M = 800, N = 900, K = 1100, L = 1200 };

void two_products(int m, int n, int k, int l, double alpha, double beta, double *t, const double *a, const double *b, const double *c,
		  double *d)
{
#ifdef BLAS
	cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, alpha, a, k, b, n, 0, t, n);
	cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, l, n, 1, t, n, c, l, beta, d, l);
#else
	for (int i = 0; i < m; i++)
		for (int j = 0; j < n; j++) {
			t[i * n + j] = 0;
			for (int p = 0; p < k; p++)
				t[i * n + j] += alpha * a[i * k + p] * b[p * n + j];
		}
	for (int i = 0; i < m; i++)
		for (int j = 0; j < l; j++) {
			d[i * l + j] *= beta;
			for (int p = 0; p < n; p++)
				d[i * l + j] += t[i * n + p] * c[p * l + j];
		}
#endif
}

int main(void)
{
	double *a = draw(M * K, 1), *b = draw(K * N, 2), *c = draw(N * L, 3), *d = draw(M * L, 4), *t = draw(M * N, 5);
	double *before = draw(M * L, 4), least = LEAST_TIME(two_products(M, N, K, L, 1.5, 0.5, t, a, b, c, d));
	bool is_right = true;

	copy(d, before, M * L);
	two_products(M, N, K, L, 1.5, 0.5, t, a, b, c, d);
	for (int i = 0; i < M; i += 31)
		for (int j = 0; j < L; j += 29) {
			double sum = before[i * L + j] * 0.5;

			for (int p = 0; p < N; p++)
				sum += t[i * N + p] * c[p * L + j];
			is_right = is_right && is_close(d[i * L + j], sum, N * 20);
		}
	for (int i = 0; i < M; i += 31)
		for (int j = 0; j < N; j += 29) {
			double sum = 0;

			for (int p = 0; p < K; p++)
				sum += 1.5 * a[i * K + p] * b[p * N + j];
			is_right = is_right && is_close(t[i * N + j], sum, K);
		}
	return report(is_right, least);
}
