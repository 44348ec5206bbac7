/* A vector is written beyond the end of each row.
 * fp: ordered; flags: -O2 -march=native; verdict: different|out-of-bounds|input-changed */
static int apart(int n, int m, int l, float **c, float **a, float **b)
{
	for (int i = 0; i < n; i++) {
		for (int r = 0; r < n; r++)
			if ((r != i && c[i] < c[r] + m && c[r] < c[i] + m) || (c[i] < a[r] + l && a[r] < c[i] + m))
				return 0;
		for (int r = 0; r < l; r++)
			if (c[i] < b[r] + m && b[r] < c[i] + m)
				return 0;
	}
	return 1;
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
	for (int i = 0; i < n; i++)
		for (int j = m; j % 4; j++)
			c[i][j] = 0;
}
