void f(int n, int l, double *restrict c, const double *restrict a)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j <= i; j++)
			for (int k = 0; k < l; k++)
				c[i * n + j] += a[i * l + k] * a[j * l + k];
}
