/* Row pointers, the same operations.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
void f(int rows, int n, double *var, const double *x)
{
	for (int r = 0; r < rows; r++) {
		const double *y = x + r * n;
		double mean = 0, s = 0;
		for (int i = 0; i < n; i++)
			mean += y[i];
		mean /= n;
		for (int i = 0; i < n; i++) {
			double d = y[i] - mean;
			s += d * d;
		}
		var[r] = s / n;
	}
}
