/* Products looked up.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
void f(int n, unsigned char *restrict out, const unsigned char *restrict rgb)
{
	static const unsigned short unit[4] = { 77, 150, 29, 128 };
	unsigned short r[256], g[256], b[256];
	for (int v = 0; v < 256; v++) {
		r[v] = unit[0] * v;
		g[v] = unit[1] * v;
		b[v] = unit[2] * v + unit[3];
	}
	for (const unsigned char *end = rgb + 3 * (long)(n > 0 ? n : 0); rgb < end; rgb += 3)
		*out++ = (r[rgb[0]] + g[rgb[1]] + b[rgb[2]]) >> 8;
}
