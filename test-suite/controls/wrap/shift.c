/* Multiplied by a neighbour of the constant.
 * fp: ordered; flags: -O2 -march=native; verdict: different */
void f(int n, unsigned *out, const unsigned *in, unsigned seed)
{
	for (int i = 0; i < n; i++)
		out[i] = in[i] * 2654435763u + seed;
}
