/* Whole coverage and none without products.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
void f(int n, unsigned char *out, const unsigned char *a, const unsigned char *b, const unsigned char *alpha)
{
	for (int i = 0; i < n; i++) {
		if (alpha[i] == 0)
			out[i] = b[i];
		else if (alpha[i] == 255)
			out[i] = a[i];
		else
			out[i] = (a[i] * alpha[i] + b[i] * (255 - alpha[i])) / 255;
	}
}
