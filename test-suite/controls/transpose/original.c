void f(int n, int m, float *out, const float *in)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < m; j++)
			out[j * n + i] = in[i * m + j];
}
