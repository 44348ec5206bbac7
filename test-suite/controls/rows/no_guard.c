/* Rows are taken to lie apart.
 * fp: ordered; flags: -O2 -march=native; verdict: different */

void f(int n, int m, int l, float **c, float **a, float **b)
{
	if (!(1)) {
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
