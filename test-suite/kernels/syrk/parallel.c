/* Rows of the triangle, the long ones first.
 * fp: ordered; flags: -O2 -march=native -fopenmp; verdict: equal */
void f(int n, int l, double *restrict c, const double *restrict a)
{
#pragma omp parallel for schedule(dynamic) num_threads(2)
	for (int row = 0; row < n; row++) {
		const int i = n - 1 - row;
		for (int j = 0; j <= i; j++)
			for (int k = 0; k < l; k++)
				c[i * n + j] += a[i * l + k] * a[j * l + k];
	}
}
