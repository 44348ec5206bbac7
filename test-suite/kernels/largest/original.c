int f(const int *x, int n)
{
	int most = -2147483647 - 1;
	for (int i = 0; i < n; i++)
		if (x[i] > most)
			most = x[i];
	return most;
}
