/* Only the first and the last row of c are looked at.
 * fp: ordered; flags: -O2 -march=native; verdict: different */
static int apart(int n, int m, int l, float **c, float **a, float **b)
{
	return (c[n - 1] + m <= a[0] || a[n - 1] + l <= c[0]) && (c[n - 1] + m <= b[0] || b[l - 1] + m <= c[0]);
}
void f(int n, int m, int l, float **c, float **a, float **b)
{
	if (!(n > 0 && m > 0 && l > 0 && apart(n, m, l, c, a, b))) {
		for (int i = 0; i < n; i++)
			for (int j = 0; j < m; j++) {
				c[i][j] = 0;
				for (int k = 0; k < l; k++)
					c[i][j] += a[i][k] * b[k][j];
			}
		return;
	}
	for (int i = 0; i < n; i++) {
		for (int j = 0; j < m; j++)
			c[i][j] = 0;
		for (int k = 0; k < l; k++)
			for (int j = 0; j < m; j++)
				c[i][j] += a[i][k] * b[k][j];
	}
}
