/* Row pointers.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
void f(int w, int h, unsigned char *out, const unsigned char *in)
{
	for (int y = 1; y < h - 1; y++) {
		const unsigned char *from = in + y * w;
		unsigned char *to = out + y * w;
		for (int x = 1; x < w - 1; x++)
			to[x] = (from[x - 1] + 2 * from[x] + from[x + 1] + 2) >> 2;
	}
}
