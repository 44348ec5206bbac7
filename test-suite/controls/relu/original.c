void f(int n, float *x)
{
	for (int i = 0; i < n; i++)
		x[i] = x[i] > 0 ? x[i] : 0;
}
