void f(int n, float *restrict y, const float *restrict x, float a, float b)
{
	for (int i = 1; i < n; i++)
		y[i] = a * y[i - 1] + b * x[i];
}
