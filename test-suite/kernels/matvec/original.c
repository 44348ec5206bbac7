void f(int n, int m, double *y, const double *a, const double *x)
{
	for (int i = 0; i < n; i++) {
		double s = 0;
		for (int j = 0; j < m; j++)
			s += a[i * m + j] * x[j];
		y[i] = s;
	}
}
