/* The bounds are applied the other way round.
 * fp: ordered; flags: -O2 -march=native; verdict: different */
void f(int n, int *out, const int *in, int least, int most)
{
	for (int i = 0; i < n; i++)
		out[i] = in[i] > most ? most : in[i] < least ? least : in[i];
}
