/* Inputs never reach the lower bound.
 * fp: ordered; flags: -O2 -march=native; verdict: different */
void f(int n, int *out, const int *in, int least, int most)
{
	(void)least;
	for (int i = 0; i < n; i++)
		out[i] = in[i] > most ? most : in[i];
}
