/* The mean of squares minus the square of the mean.
 * fp: reassoc; flags: -O2 -march=native; verdict: different */
void f(int rows, int n, double *var, const double *x)
{
	for (int r = 0; r < rows; r++) {
		double s = 0, q = 0;
		for (int i = 0; i < n; i++) {
			s += x[r * n + i];
			q += x[r * n + i] * x[r * n + i];
		}
		var[r] = q / n - s / n * (s / n);
	}
}
