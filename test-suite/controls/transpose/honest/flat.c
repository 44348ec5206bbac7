/* One loop over all elements.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
void f(int n, int m, float *out, const float *in)
{
	for (int e = 0; n > 0 && m > 0 && e < n * m; e++)
		out[e % m * n + e / m] = in[e];
}
