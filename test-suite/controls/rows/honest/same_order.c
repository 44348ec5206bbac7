/* The sum in a variable, where that is the same.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
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
	const int is_apart = n > 0 && m > 0 && l > 0 && apart(n, m, l, c, a, b);
	for (int i = 0; i < n; i++)
		for (int j = 0; j < m; j++) {
			float s = 0;
			if (!is_apart) {
				c[i][j] = 0;
				for (int k = 0; k < l; k++)
					c[i][j] += a[i][k] * b[k][j];
				continue;
			}
			for (int k = 0; k < l; k++)
				s += a[i][k] * b[k][j];
			c[i][j] = s;
		}
}
