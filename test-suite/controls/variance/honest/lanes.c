/* Partial sums in both passes.
 * fp: reassoc; flags: -O2 -march=native; verdict: equal */
void f(int rows, int n, double *var, const double *x)
{
	for (int r = 0; r < rows; r++) {
		const double *y = x + r * n;
		double m[2] = { 0 }, s[2] = { 0 }, mean;
		int i;
		for (i = 0; i + 2 <= n; i += 2) {
			m[0] += y[i];
			m[1] += y[i + 1];
		}
		if (i < n)
			m[0] += y[i];
		mean = (m[0] + m[1]) / n;
		for (i = 0; i + 2 <= n; i += 2) {
			s[0] += (y[i] - mean) * (y[i] - mean);
			s[1] += (y[i + 1] - mean) * (y[i + 1] - mean);
		}
		if (i < n)
			s[0] += (y[i] - mean) * (y[i] - mean);
		var[r] = (s[0] + s[1]) / n;
	}
}
