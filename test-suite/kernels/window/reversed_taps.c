/* Taps from the last to the first, in two sums.
 * fp: reassoc; flags: -O2 -march=native; verdict: equal */
void f(int n, int taps, float *restrict out, const float *restrict in, const float *restrict tap)
{
	for (int i = 0; i < n; i++) {
		float even = 0, odd = 0;
		int t = taps;
		for (; t >= 2; t -= 2) {
			odd += in[i + t - 1] * tap[t - 1];
			even += in[i + t - 2] * tap[t - 2];
		}
		if (t == 1)
			odd += in[i] * tap[0];
		out[i] = even + odd;
	}
}
