/* A column less at each turn, by recursion over the width.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
static void strip(int n, int m, int width, double *restrict sum, const double *restrict a)
{
	if (width > 8) {
		strip(n, m, width / 2, sum, a);
		strip(n, m, width - width / 2, sum + width / 2, a + width / 2);
		return;
	}
	for (int j = 0; j < width; j++) {
		double s = 0;
		for (int i = 0; i < n; i++)
			s += a[(long)i * m + j];
		sum[j] = s;
	}
}
void f(int n, int m, double *restrict sum, const double *restrict a)
{
	strip(n, m, m, sum, a);
}
