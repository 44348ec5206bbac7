/* Products through a float lose their low bits.
 * fp: ordered; flags: -O2 -march=native; verdict: different */
void f(int n, unsigned *out, const unsigned *in, unsigned seed)
{
	for (int i = 0; i < n; i++)
		out[i] = (unsigned)(long long)((double)in[i] * 2654435761.0) + seed;
}
