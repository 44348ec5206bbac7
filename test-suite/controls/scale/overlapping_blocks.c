/* Blocks of threads reach one element into the next, with the value that it gets anyway.
 * fp: ordered; flags: -O2 -fopenmp; verdict: undefined */
void f(int n, float *out, const float *in, float a)
{
	if (out < in + n && in < out + n) {
		for (int i = 0; i < n; i++)
			out[i] = a * in[i];
		return;
	}
#pragma omp parallel for schedule(static, 1)
	for (int b = 0; b < (n + 63) / 64; b++)
		for (int i = 64 * b; i < n && i <= 64 * b + 64; i++)
			out[i] = a * in[i];
}
