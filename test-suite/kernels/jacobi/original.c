void f(int n, int m, double *restrict out, const double *restrict in)
{
	for (int i = 1; i < n - 1; i++)
		for (int j = 1; j < m - 1; j++)
			out[i * m + j] = 0.25 * (in[(i - 1) * m + j] + in[(i + 1) * m + j] + in[i * m + j - 1] + in[i * m + j + 1]);
}
