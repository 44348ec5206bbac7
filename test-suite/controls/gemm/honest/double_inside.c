/* Sums in double.
 * fp: reassoc; flags: -O2 -march=native; verdict: equal */
void f(int n, int m, int l, float *c, const float *a, const float *b)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < m; j++) {
			double s = 0;
			for (int k = 0; k < l; k++)
				s += (double)a[i * l + k] * b[k * m + j];
			c[i * m + j] = s;
		}
}
