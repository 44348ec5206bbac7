/* Two passes with a correction.
 * fp: reassoc; flags: -O2 -march=native; verdict: equal */
void f(int rows, int n, double *var, const double *x)
{
	for (int r = 0; r < rows; r++) {
		double mean = 0, s = 0, c = 0;
		for (int i = 0; i < n; i++)
			mean += x[r * n + i];
		mean /= n;
		for (int i = 0; i < n; i++) {
			double d = x[r * n + i] - mean;
			s += d * d;
			c += d;
		}
		var[r] = (s - c * c / n) / n;
	}
}
