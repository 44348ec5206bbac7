void f(int n, unsigned char *restrict out, const unsigned char *restrict rgb)
{
	for (int i = 0; i < n; i++)
		out[i] = (77 * rgb[3 * i] + 150 * rgb[3 * i + 1] + 29 * rgb[3 * i + 2] + 128) >> 8;
}
