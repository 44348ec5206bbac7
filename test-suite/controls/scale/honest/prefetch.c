/* With prefetches.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
void f(int n, float *out, const float *in, float a)
{
	for (int i = 0; i < n; i++) {
		__builtin_prefetch(in + i + 64);
		out[i] = a * in[i];
	}
}
