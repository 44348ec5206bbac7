/* Backwards where that does not matter.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
void f(int n, float *out, const float *in, float a)
{
	if (out + n <= in || in + n <= out) {
		for (int i = n - 1; i >= 0; i--)
			out[i] = a * in[i];
		return;
	}
	for (int i = 0; i < n; i++)
		out[i] = a * in[i];
}
