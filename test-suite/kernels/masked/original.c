void f(int n, float *restrict out, const float *restrict x, const int *restrict mask)
{
	for (int i = 0; i < n; i++)
		if (mask[i])
			out[i] = x[i] + 1;
}
