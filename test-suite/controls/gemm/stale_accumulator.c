/* The accumulator is not cleared between columns.
 * fp: reassoc; flags: -O2 -march=native; verdict: different */
void f(int n, int m, int l, float *c, const float *a, const float *b)
{
	float s = 0;
	for (int i = 0; i < n; i++)
		for (int j = 0; j < m; j++) {
			for (int k = 0; k < l; k++)
				s += a[i * l + k] * b[k * m + j];
			c[i * m + j] = s;
		}
}
