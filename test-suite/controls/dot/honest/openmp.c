/* Threads with a reduction.
 * fp: reassoc; flags: -O2 -march=native -fopenmp; verdict: equal */
float f(const float *x, const float *y, int n)
{
	float s = 0;
#pragma omp parallel for reduction(+ : s) num_threads(2) if (n > 5000)
	for (int i = 0; i < n; i++)
		s += x[i] * y[i];
	return s;
}
