/* A helper for one element.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
static inline float times(float x, float y) { return x * y; }
void f(int n, float *out, const float *in, float a)
{
	for (int i = 0; i < n; i++)
		out[i] = times(in[i], a);
}
