/* The master prepares the factor, and nobody waits for it; that it was there before hides this.
 * fp: ordered; flags: -O2 -fopenmp; verdict: undefined */
void f(int n, float *out, const float *in, float a)
{
	float by = a;
	if (out < in + n && in < out + n) {
		for (int i = 0; i < n; i++)
			out[i] = a * in[i];
		return;
	}
#pragma omp parallel
	{
#pragma omp master
		by = a;
#pragma omp for schedule(dynamic, 5)
		for (int i = 0; i < n; i++)
			out[i] = by * in[i];
	}
}
