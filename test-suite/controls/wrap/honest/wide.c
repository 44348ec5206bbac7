/* In 64 bits, cut at the end.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
void f(int n, unsigned *out, const unsigned *in, unsigned seed)
{
	for (int i = 0; i < n; i++)
		out[i] = (unsigned)((unsigned long long)in[i] * 2654435761ull + seed);
}
