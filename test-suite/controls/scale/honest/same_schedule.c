/* Two loops of the same length need no barrier between them: a thread gets the same part of each.
 * fp: ordered; flags: -O2 -fopenmp; verdict: equal */
void f(int n, float *out, const float *in, float a)
{
	if (out < in + n && in < out + n) {
		for (int i = 0; i < n; i++)
			out[i] = a * in[i];
		return;
	}
#pragma omp parallel
	{
#pragma omp for schedule(static, 4) nowait
		for (int i = 0; i < n; i++)
			out[i] = in[i];
#pragma omp for schedule(static, 4) nowait
		for (int i = 0; i < n; i++)
			out[i] *= a;
	}
}
