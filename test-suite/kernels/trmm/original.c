void f(int n, int m, float *b, const float *a)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < m; j++) {
			for (int k = i + 1; k < n; k++)
				b[i * m + j] += a[k * n + i] * b[k * m + j];
			b[i * m + j] *= 2;
		}
}
