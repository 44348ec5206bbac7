/* Partial sums along the depth.
 * fp: reassoc; flags: -O2 -march=native; verdict: equal */
void f(int n, int m, int l, float *c, const float *a, const float *b)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < m; j++) {
			float s[4] = { 0 }, t = 0;
			int k = 0;
			for (; k + 4 <= l; k += 4)
				for (int r = 0; r < 4; r++)
					s[r] += a[i * l + k + r] * b[(k + r) * m + j];
			for (; k < l; k++)
				t += a[i * l + k] * b[k * m + j];
			c[i * m + j] = s[0] + s[1] + s[2] + s[3] + t;
		}
}
