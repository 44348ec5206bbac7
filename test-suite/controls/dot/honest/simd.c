/* A hint to the compiler.
 * fp: reassoc; flags: -O2 -march=native -fopenmp-simd; verdict: equal */
float f(const float *x, const float *y, int n)
{
	float s = 0;
#pragma omp simd reduction(+ : s)
	for (int i = 0; i < n; i++)
		s += x[i] * y[i];
	return s;
}
