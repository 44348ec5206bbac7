/* In sixteen bits.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
void f(int w, int h, unsigned char *out, const unsigned char *in)
{
	for (int y = 1; y < h - 1; y++)
		for (int x = 1; x < w - 1; x++) {
			unsigned short s = in[y * w + x - 1] + in[y * w + x + 1] + 2;
			out[y * w + x] = (unsigned short)(s + in[y * w + x] + in[y * w + x]) / 4;
		}
}
