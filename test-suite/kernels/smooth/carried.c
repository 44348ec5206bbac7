/* Neighbours carried along, where out is not ahead of in.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
void f(int n, short *out, const short *in)
{
	if (n < 3)
		return;
	if (out > in && out < in + n) {
		for (int i = 1; i < n - 1; i++)
			out[i] = (in[i - 1] + 2 * in[i] + in[i + 1]) / 4;
		return;
	}
	if (out == in) {
		for (int i = 1; i < n - 1; i++)
			out[i] = (out[i - 1] + 2 * in[i] + in[i + 1]) / 4;
		return;
	}
	if (out < in && in < out + n) {
		for (int i = 1; i < n - 1; i++)
			out[i] = (in[i - 1] + 2 * in[i] + in[i + 1]) / 4;
		return;
	}
	int left = in[0], here = in[1];
	for (int i = 1; i < n - 1; i++) {
		const int right = in[i + 1];
		out[i] = (left + 2 * here + right) / 4;
		left = here;
		here = right;
	}
}
