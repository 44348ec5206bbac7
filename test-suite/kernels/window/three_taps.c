/* The usual number of taps written out, others in a loop.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
void f(int n, int taps, float *restrict out, const float *restrict in, const float *restrict tap)
{
	if (taps == 3) {
		const float a = tap[0], b = tap[1], c = tap[2];
		for (int i = 0; i < n; i++)
			out[i] = 0.0f + in[i] * a + in[i + 1] * b + in[i + 2] * c;
		return;
	}
	for (int i = n - 1; i >= 0; i--) {
		float s = 0;
		for (int t = 0; t < taps; t++)
			s += in[i + t] * tap[t];
		out[i] = s;
	}
}
