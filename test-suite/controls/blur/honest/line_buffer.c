/* A copy of the row on the stack.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
#include <string.h>
static void plain(int w, int h, unsigned char *out, const unsigned char *in)
{
	for (int y = 1; y < h - 1; y++)
		for (int x = 1; x < w - 1; x++)
			out[y * w + x] = (in[y * w + x - 1] + 2 * in[y * w + x] + in[y * w + x + 1] + 2) >> 2;
}
void f(int w, int h, unsigned char *out, const unsigned char *in)
{
	if (!(out + (long)w * h <= in || in + (long)w * h <= out)) {
		plain(w, h, out, in);
		return;
	}
	unsigned char row[4096];
	if (w > 4096) {
		plain(w, h, out, in);
		return;
	}
	for (int y = 1; y < h - 1; y++) {
		memcpy(row, in + y * w, w > 0 && w > 2 ? w : 0);
		for (int x = 1; x < w - 1; x++)
			out[y * w + x] = (row[x - 1] + 2 * row[x] + row[x + 1] + 2) >> 2;
	}
}
