/* Halves, where buffers are apart.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
static void g(int n, float *out, const float *in, float a)
{
	if (n <= 16) {
		for (int i = 0; i < n; i++)
			out[i] = a * in[i];
		return;
	}
	g(n / 2, out, in, a);
	g(n - n / 2, out + n / 2, in + n / 2, a);
}
void f(int n, float *out, const float *in, float a)
{
	g(n, out, in, a);
}
