/* Four rows at a time where y is apart from what is read.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
void f(int n, int m, double *y, const double *a, const double *x)
{
	int i = 0;
	if ((y + n <= a || a + (long)n * m <= y) && (y + n <= x || x + m <= y))
		for (; i + 4 <= n; i += 4) {
			double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
			for (int j = 0; j < m; j++) {
				s0 += a[i * m + j] * x[j];
				s1 += a[(i + 1) * m + j] * x[j];
				s2 += a[(i + 2) * m + j] * x[j];
				s3 += a[(i + 3) * m + j] * x[j];
			}
			y[i] = s0;
			y[i + 1] = s1;
			y[i + 2] = s2;
			y[i + 3] = s3;
		}
	for (; i < n; i++) {
		double s = 0;
		for (int j = 0; j < m; j++)
			s += a[i * m + j] * x[j];
		y[i] = s;
	}
}
