/* Matrices of rows, each allocated by itself. */
#include "ops.h"

enum { N = 1024 };

void matmul(int n, int m, int l, float **c, float **a, float **b)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < m; j++) {
			float sum = 0;

			for (int k = 0; k < l; k++)
				sum += a[i][k] * b[k][j];
			c[i][j] = sum;
		}
}

static float **rows(unsigned seed)
{
	float **row = malloc(N * sizeof(*row));

	for (int i = 0; row && i < N; i++)
		row[i] = draw(N, seed + (unsigned)i);
	return row;
}

int main(void)
{
	float **a = rows(1), **b = rows(5000), **c = rows(9000);
	double least = LEAST_TIME(matmul(N, N, N, c, a, b));
	bool is_right = true;

	for (int i = 0; i < N; i += 31)
		for (int j = 0; j < N; j += 29) {
			double sum = 0, magnitude = 0;

			for (int k = 0; k < N; k++) {
				sum += (double)a[i][k] * b[k][j];
				magnitude += fabs((double)a[i][k] * b[k][j]);
			}
			is_right = is_right && is_close(c[i][j], sum, magnitude);
		}
	return report(is_right, least);
}
