void f(int n, int taps, float *restrict out, const float *restrict in, const float *restrict tap)
{
	for (int i = 0; i < n; i++) {
		float s = 0;
		for (int t = 0; t < taps; t++)
			s += in[i + t] * tap[t];
		out[i] = s;
	}
}
