/* Borders are written as well.
 * fp: ordered; flags: -O2 -march=native; verdict: different|out-of-bounds|input-changed */
void f(int w, int h, unsigned char *out, const unsigned char *in)
{
	for (int y = 0; y < h; y++)
		for (int x = 1; x < w - 1; x++)
			out[y * w + x] = (in[y * w + x - 1] + 2 * in[y * w + x] + in[y * w + x + 1] + 2) >> 2;
}
