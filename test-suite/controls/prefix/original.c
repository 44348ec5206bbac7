void f(int n, double *x)
{
	for (int i = 1; i < n; i++)
		x[i] += x[i - 1];
}
