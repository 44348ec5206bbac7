/* Rows shared out among threads where y is apart.
 * fp: ordered; flags: -O2 -march=native -fopenmp; verdict: equal */
void f(int n, int m, double *y, const double *a, const double *x)
{
#pragma omp parallel for num_threads(2) if ((y + n <= a || a + (long)n * m <= y) && (y + n <= x || x + m <= y))
	for (int i = 0; i < n; i++) {
		double s = 0;
		for (int j = 0; j < m; j++)
			s += a[i * m + j] * x[j];
		y[i] = s;
	}
}
