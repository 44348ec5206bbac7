void f(int n, unsigned char *out, const unsigned char *in, int by)
{
	for (int i = 0; i < n; i++) {
		int v = in[i] + by;
		out[i] = v < 0 ? 0 : v > 255 ? 255 : v;
	}
}
