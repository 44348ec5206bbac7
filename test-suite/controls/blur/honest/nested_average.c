/* An average of averages that rounds once.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
void f(int w, int h, unsigned char *out, const unsigned char *in)
{
	for (int y = 1; y < h - 1; y++)
		for (int x = 1; x < w - 1; x++)
			out[y * w + x] = (((in[y * w + x - 1] + in[y * w + x + 1]) >> 1) + in[y * w + x] + 1) >> 1;
}
