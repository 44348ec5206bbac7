void f(int n, int *out, const int *in, int least, int most)
{
	for (int i = 0; i < n; i++)
		out[i] = in[i] < least ? least : in[i] > most ? most : in[i];
}
