/* The constant in two parts.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
void f(int n, unsigned *out, const unsigned *in, unsigned seed)
{
	for (int i = 0; i < n; i++)
		out[i] = in[i] * 2654000000u + (in[i] * 435761u + seed);
}
