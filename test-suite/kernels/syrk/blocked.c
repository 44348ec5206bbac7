/* Blocks below the diagonal, and those on it.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
#define LEAST(a, b) ((a) < (b) ? (a) : (b))
void f(int n, int l, double *restrict c, const double *restrict a)
{
	for (int bi = 0; bi < n; bi += 16)
		for (int bj = 0; bj <= bi; bj += 16)
			for (int i = bi; i < LEAST(bi + 16, n); i++)
				for (int j = bj; j < LEAST(bj + 16, i + 1); j++) {
					double s = c[i * n + j];
					for (int k = 0; k < l; k++)
						s += a[i * l + k] * a[j * l + k];
					c[i * n + j] = s;
				}
}
