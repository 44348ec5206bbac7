/* Differences kept, four pairs at a time.
 * fp: reassoc; flags: -O2 -march=native; verdict: equal */
static float square(float x)
{
	return x * x;
}
void f(int n, int m, int d, float *restrict out, const float *restrict a, const float *restrict b)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < m; j++) {
			const float *p = a + i * d, *q = b + j * d;
			float s = 0, t = 0;
			int k = 0;
			for (; k + 2 <= d; k += 2) {
				s += square(p[k] - q[k]);
				t += square(p[k + 1] - q[k + 1]);
			}
			if (k < d)
				s += square(p[k] - q[k]);
			out[i * m + j] = s + t;
		}
}
