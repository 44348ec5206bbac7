/* The upper and the lower half by themselves.
 * fp: reassoc; flags: -O2 -march=native; verdict: equal */
void f(int n, int m, double *restrict sum, const double *restrict a)
{
	const int half = n / 2;
	for (int j = 0; j < m; j++) {
		double upper = 0, lower = 0;
		for (int i = 0; i < half; i++)
			upper += a[i * m + j];
		for (int i = half; i < n; i++)
			lower += a[i * m + j];
		sum[j] = upper + lower;
	}
}
