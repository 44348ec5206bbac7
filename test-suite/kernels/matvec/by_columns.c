/* Columns outside, sums in a buffer of the stack; rows of 64.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
void f(int n, int m, double *y, const double *a, const double *x)
{
	for (int top = 0; top < n; top += 64) {
		int rows = n - top < 64 ? n - top : 64;
		double s[64] = { 0 };
		if (!(y + n <= a || a + (long)n * m <= y) || !(y + n <= x || x + m <= y))
			rows = 1;
		for (int j = 0; j < m; j++)
			for (int i = 0; i < rows; i++)
				s[i] += a[(top + i) * m + j] * x[j];
		for (int i = 0; i < rows; i++)
			y[top + i] = s[i];
		top -= 64 - rows;
	}
}
