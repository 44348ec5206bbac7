/* Strips of sixteen columns in registers.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
void f(int n, int m, double *restrict sum, const double *restrict a)
{
	int j = 0;
	for (; j + 16 <= m; j += 16) {
		double s[16] = { 0 };
		const double *row = a + j;
		for (int i = 0; i < n; i++, row += m)
			for (int r = 0; r < 16; r++)
				s[r] += row[r];
		for (int r = 0; r < 16; r++)
			sum[j + r] = s[r];
	}
	for (; j < m; j++) {
		double s = 0;
		for (int i = 0; i < n; i++)
			s += a[i * m + j];
		sum[j] = s;
	}
}
