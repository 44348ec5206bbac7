/* Each thread keeps the memory that it took.
 * fp: ordered; flags: -O2 -march=native -fopenmp; verdict: side-effect */
#include <stdlib.h>
static void row(int n, double *var, const double *x, double *scratch)
{
	double mean = 0, s = 0;
	for (int i = 0; i < n; i++)
		mean += x[i];
	mean /= n;
	for (int i = 0; i < n; i++)
		scratch[i] = x[i] - mean;
	for (int i = 0; i < n; i++)
		s += scratch[i] * scratch[i];
	*var = s / n;
}
void f(int rows, int n, double *var, const double *x)
{
	int is_apart = var + rows <= x || x + (long)rows * n <= var;
#pragma omp parallel num_threads(4) if (is_apart)
	{
		double *scratch = malloc(sizeof(double) * (size_t)(n + 1));
#pragma omp for
		for (int r = 0; r < rows; r++)
			row(n, var + r, x + (long)r * n, scratch);
	}
}
