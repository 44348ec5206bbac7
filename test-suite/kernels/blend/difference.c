/* One product with the difference.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
void f(int n, unsigned char *out, const unsigned char *a, const unsigned char *b, const unsigned char *alpha)
{
	for (int i = 0; i < n; i++)
		out[i] = (255 * b[i] + (a[i] - b[i]) * alpha[i]) / 255;
}
