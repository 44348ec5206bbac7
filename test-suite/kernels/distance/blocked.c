/* Blocks of points, so that they stay in the cache.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
void f(int n, int m, int d, float *restrict out, const float *restrict a, const float *restrict b)
{
	for (int from = 0; from < m; from += 24) {
		const int to = m < from + 24 ? m : from + 24;
		for (int i = 0; i < n; i++)
			for (int j = from; j < to; j++) {
				float s = 0;
				for (int k = 0; k < d; k++) {
					const float by = b[j * d + k] - a[i * d + k];
					s += by * by;
				}
				out[i * m + j] = s;
			}
	}
}
