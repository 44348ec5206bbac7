/* Times the reciprocal of n.
 * fp: reassoc; flags: -O2 -march=native; verdict: equal */
void f(int rows, int n, double *var, const double *x)
{
	for (int r = 0; r < rows; r++) {
		double mean = 0, s = 0;
		for (int i = 0; i < n; i++)
			mean += x[r * n + i];
		mean *= 1.0 / n;
		for (int i = 0; i < n; i++)
			s += (x[r * n + i] - mean) * (x[r * n + i] - mean);
		var[r] = s / n;
	}
}
