/* The division by 255 by shifts, exact for all products of bytes.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
void f(int n, unsigned char *out, const unsigned char *a, const unsigned char *b, const unsigned char *alpha)
{
	for (int i = 0; i < n; i++) {
		unsigned v = a[i] * alpha[i] + b[i] * (255 - alpha[i]);
		out[i] = (v + 1 + (v >> 8)) >> 8;
	}
}
