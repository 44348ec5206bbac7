/* Tiles of 32 by 64.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
#define MIN(a, b) ((a) < (b) ? (a) : (b))
void f(int n, int m, double *restrict out, const double *restrict in)
{
	for (int ti = 1; ti < n - 1; ti += 32)
		for (int tj = 1; tj < m - 1; tj += 64)
			for (int i = ti; i < MIN(ti + 32, n - 1); i++)
				for (int j = tj; j < MIN(tj + 64, m - 1); j++)
					out[i * m + j] = 0.25 * (in[(i - 1) * m + j] + in[(i + 1) * m + j] + in[i * m + j - 1] + in[i * m + j + 1]);
}
