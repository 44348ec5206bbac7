void f(int n, unsigned char *out, const unsigned char *a, const unsigned char *b, const unsigned char *alpha)
{
	for (int i = 0; i < n; i++)
		out[i] = (a[i] * alpha[i] + b[i] * (255 - alpha[i])) / 255;
}
