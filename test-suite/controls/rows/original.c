/* A product of matrices that are tables of pointers to rows. */
void f(int n, int m, int l, float **c, float **a, float **b)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < m; j++) {
			c[i][j] = 0;
			for (int k = 0; k < l; k++)
				c[i][j] += a[i][k] * b[k][j];
		}
}
