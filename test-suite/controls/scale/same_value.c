/* Every thread writes the first element too, always what belongs there.
 * fp: ordered; flags: -O2 -fopenmp; verdict: undefined */
void f(int n, float *out, const float *in, float a)
{
	if (out < in + n && in < out + n) {
		for (int i = 0; i < n; i++)
			out[i] = a * in[i];
		return;
	}
#pragma omp parallel
	{
		if (n > 0)
			out[0] = a * in[0];
#pragma omp for
		for (int i = 1; i < n; i++)
			out[i] = a * in[i];
	}
}
