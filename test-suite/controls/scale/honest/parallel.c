/* Threads where buffers are apart.
 * fp: ordered; flags: -O2 -march=native -fopenmp; verdict: equal */
void f(int n, float *out, const float *in, float a)
{
	if (out + n <= in || in + n <= out) {
#pragma omp parallel for num_threads(2) if (n > 1000)
		for (int i = 0; i < n; i++)
			out[i] = a * in[i];
		return;
	}
	for (int i = 0; i < n; i++)
		out[i] = a * in[i];
}
