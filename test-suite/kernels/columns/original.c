void f(int n, int m, double *restrict sum, const double *restrict a)
{
	for (int j = 0; j < m; j++) {
		sum[j] = 0;
		for (int i = 0; i < n; i++)
			sum[j] += a[i * m + j];
	}
}
