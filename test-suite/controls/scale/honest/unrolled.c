/* Four at a time, where the buffers are apart or the same.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
void f(int n, float *out, const float *in, float a)
{
	int i = 0;
	for (; i + 4 <= n; i += 4) {
		out[i] = a * in[i];
		out[i + 1] = a * in[i + 1];
		out[i + 2] = a * in[i + 2];
		out[i + 3] = a * in[i + 3];
	}
	for (; i < n; i++)
		out[i] = a * in[i];
}
