/* A loop does not wait for the one before, of which it needs the element of its neighbour.
 * fp: ordered; flags: -O2 -fopenmp; verdict: different|nondeterministic|undefined */
void f(int n, float *out, const float *in, float a)
{
	if (out < in + n && in < out + n) {
		for (int i = 0; i < n; i++)
			out[i] = a * in[i];
		return;
	}
#pragma omp parallel
	{
#pragma omp for schedule(static) nowait
		for (int i = 0; i < n; i++)
			out[i] = in[i];
#pragma omp for schedule(static) nowait
		for (int i = n - 1; i >= 0; i--)
			out[i] *= a;
	}
}
