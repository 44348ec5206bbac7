/* Planes of a block first.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
void f(int n, unsigned char *restrict out, const unsigned char *restrict rgb)
{
	int plane[3][16];
	for (int at = 0; at < n; at += 16) {
		const int count = at + 16 <= n ? 16 : n - at;
		for (int p = 0; p < 3; p++)
			for (int i = 0; i < count; i++)
				plane[p][i] = rgb[3 * (at + i) + p];
		for (int i = 0; i < count; i++)
			out[at + i] = (77 * plane[0][i] + 150 * plane[1][i] + 29 * plane[2][i] + 128) >> 8;
	}
}
