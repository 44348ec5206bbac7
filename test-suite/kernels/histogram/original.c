void f(int n, int *bin, const unsigned char *in)
{
	for (int i = 0; i < n; i++)
		bin[in[i]]++;
}
