/* Four at a time, in order.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
void f(int n, unsigned *out, const unsigned *in, unsigned seed)
{
	int i = 0;
	for (; i + 4 <= n; i += 4)
		for (int k = 0; k < 4; k++)
			out[i + k] = in[i + k] * 2654435761u + seed;
	for (; i < n; i++)
		out[i] = in[i] * 2654435761u + seed;
}
