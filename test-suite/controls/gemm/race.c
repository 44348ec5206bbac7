/* Threads add to one accumulator.
 * fp: reassoc; flags: -O2 -march=native -fopenmp; verdict: different|nondeterministic|undefined */
#include <omp.h>
void f(int n, int m, int l, float *c, const float *a, const float *b)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < m; j++) {
			float s = 0;
#pragma omp parallel for num_threads(4)
			for (int k = 0; k < l; k++)
				s += a[i * l + k] * b[k * m + j];
			c[i * m + j] = s;
		}
}
