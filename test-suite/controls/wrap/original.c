void f(int n, unsigned *out, const unsigned *in, unsigned seed)
{
	for (int i = 0; i < n; i++)
		out[i] = in[i] * 2654435761u + seed;
}
