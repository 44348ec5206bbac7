/* One thread reads the factor for all.
 * fp: ordered; flags: -O2 -fopenmp; verdict: equal */
void f(int n, float *out, const float *in, float a)
{
	if (out < in + n && in < out + n) {
		for (int i = 0; i < n; i++)
			out[i] = a * in[i];
		return;
	}
#pragma omp parallel num_threads(3)
	{
		float by;
#pragma omp single copyprivate(by)
		by = a;
#pragma omp for schedule(guided)
		for (int i = 0; i < n; i++)
			out[i] = by * in[i];
	}
}
