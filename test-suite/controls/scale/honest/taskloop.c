/* Blocks are tasks of a loop, where buffers are apart.
 * fp: ordered; flags: -O2 -fopenmp; verdict: equal */
void f(int n, float *out, const float *in, float a)
{
	if (out < in + n && in < out + n) {
		for (int i = 0; i < n; i++)
			out[i] = a * in[i];
		return;
	}
#pragma omp parallel
#pragma omp single
#pragma omp taskloop num_tasks(9)
	for (int i = 0; i < n; i++)
		out[i] = a * in[i];
}
