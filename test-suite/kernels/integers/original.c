void f(int n, int m, int l, int *restrict c, const int *restrict a, const int *restrict b)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < m; j++)
			for (int k = 0; k < l; k++)
				c[i * m + j] += a[i * l + k] * b[k * m + j];
}
