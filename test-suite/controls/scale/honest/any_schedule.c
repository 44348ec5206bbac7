/* Blocks as they come, last first, in an order that the environment may choose.
 * fp: ordered; flags: -O2 -fopenmp; verdict: equal */
void f(int n, float *out, const float *in, float a)
{
	if (out < in + n && in < out + n) {
		for (int i = 0; i < n; i++)
			out[i] = a * in[i];
		return;
	}
#pragma omp parallel
#pragma omp for schedule(runtime) nowait
	for (int b = (n + 99) / 100; b > 0; b--)
		for (int i = 100 * b - 100; i < n && i < 100 * b; i++)
			out[i] = a * in[i];
}
