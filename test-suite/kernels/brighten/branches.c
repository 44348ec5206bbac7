/* A loop for each sign.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
void f(int n, unsigned char *out, const unsigned char *in, int by)
{
	if (by >= 0) {
		const int limit = by > 255 ? 0 : 255 - by;
		for (int i = 0; i < n; i++)
			out[i] = in[i] > limit ? 255 : in[i] + by;
	} else {
		const int limit = by < -255 ? 256 : -by;
		for (int i = 0; i < n; i++)
			out[i] = in[i] < limit ? 0 : in[i] + by;
	}
}
