/* Rows on threads, where buffers are apart.
 * fp: ordered; flags: -O2 -march=native -fopenmp; verdict: equal */
static void plain(int rows, int n, double *var, const double *x)
{
	for (int r = 0; r < rows; r++) {
		double mean = 0, s = 0;
		for (int i = 0; i < n; i++)
			mean += x[r * n + i];
		mean /= n;
		for (int i = 0; i < n; i++)
			s += (x[r * n + i] - mean) * (x[r * n + i] - mean);
		var[r] = s / n;
	}
}
void f(int rows, int n, double *var, const double *x)
{
	if (!(var + rows <= x || x + (long)rows * n <= var)) {
		plain(rows, n, var, x);
		return;
	}
#pragma omp parallel for num_threads(2)
	for (int r = 0; r < rows; r++) {
		double mean = 0, s = 0;
		for (int i = 0; i < n; i++)
			mean += x[r * n + i];
		mean /= n;
		for (int i = 0; i < n; i++)
			s += (x[r * n + i] - mean) * (x[r * n + i] - mean);
		var[r] = s / n;
	}
}
