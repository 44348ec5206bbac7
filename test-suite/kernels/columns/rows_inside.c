/* Rows outside, so that memory is read in order.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
void f(int n, int m, double *restrict sum, const double *restrict a)
{
	for (int j = 0; j < m; j++)
		sum[j] = 0;
	for (int i = 0; i < n; i++)
		for (int j = 0; j < m; j++)
			sum[j] += a[i * m + j];
}
