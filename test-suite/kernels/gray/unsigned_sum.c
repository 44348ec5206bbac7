/* Sixteen bits hold the sum, which is below 65536.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
void f(int n, unsigned char *restrict out, const unsigned char *restrict rgb)
{
	for (int i = 0; i < n; i++) {
		unsigned short sum = 77 * rgb[3 * i];
		sum += 150 * rgb[3 * i + 1];
		sum += 29 * rgb[3 * i + 2];
		sum += 128;
		out[i] = sum / 256;
	}
}
