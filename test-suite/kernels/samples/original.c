int f(const short *x, const short *y, int n)
{
	int s = 0;
	for (int i = 0; i < n; i++)
		s += x[i] * y[i] >> 8;
	return s;
}
