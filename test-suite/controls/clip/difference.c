/* A comparison by difference overflows.
 * fp: ordered; flags: -O2 -march=native; verdict: different */
void f(int n, int *out, const int *in, int least, int most)
{
	for (int i = 0; i < n; i++) {
		int below = (int)((unsigned)in[i] - (unsigned)least) < 0;
		int above = (int)((unsigned)most - (unsigned)in[i]) < 0;
		out[i] = below ? least : above ? most : in[i];
	}
}
