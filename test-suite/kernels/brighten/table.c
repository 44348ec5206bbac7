/* A table of all 256 results.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
void f(int n, unsigned char *out, const unsigned char *in, int by)
{
	unsigned char result[256];
	for (int v = 0; v < 256; v++)
		result[v] = v + by < 0 ? 0 : v + by > 255 ? 255 : v + by;
	for (int i = 0; i < n; i++)
		out[i] = result[in[i]];
}
