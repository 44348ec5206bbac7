void f(int n, int m, int d, float *restrict out, const float *restrict a, const float *restrict b)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < m; j++) {
			float s = 0;
			for (int k = 0; k < d; k++)
				s += (a[i * d + k] - b[j * d + k]) * (a[i * d + k] - b[j * d + k]);
			out[i * m + j] = s;
		}
}
