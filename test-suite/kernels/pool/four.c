/* The four elements by name.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
static inline float larger(float a, float b)
{
	return b > a ? b : a;
}
void f(int h, int w, float *restrict out, const float *restrict in)
{
	for (int y = 0; y < h; y++) {
		const float *top = in + 4 * (long)y * w, *bottom = top + 2 * w;
		for (int x = 0; x < w; x++)
			out[y * w + x] = larger(larger(larger(top[2 * x], top[2 * x + 1]), bottom[2 * x]), bottom[2 * x + 1]);
	}
}
