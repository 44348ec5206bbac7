/* In 64 bits.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
void f(int n, int *out, const int *in, int least, int most)
{
	for (int i = 0; i < n; i++) {
		long long v = in[i];
		v = v - least < 0 ? least : most - v < 0 ? most : v;
		out[i] = (int)v;
	}
}
