/* A division by four, which is as exact as the product.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
void f(int n, int m, double *restrict out, const double *restrict in)
{
	for (int j = 1; j < m - 1; j++)
		for (int i = 1; i < n - 1; i++)
			out[i * m + j] = (in[(i - 1) * m + j] + in[(i + 1) * m + j] + in[i * m + j - 1] + in[i * m + j + 1]) / 4;
}
