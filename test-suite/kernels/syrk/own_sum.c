/* A sum of its own, added at the end.
 * fp: reassoc; flags: -O2 -march=native; verdict: equal */
void f(int n, int l, double *restrict c, const double *restrict a)
{
	for (int i = 0; i < n; i++)
		for (int j = i; j >= 0; j--) {
			double s = 0;
			for (int k = 0; k < l; k++)
				s += a[i * l + k] * a[j * l + k];
			c[i * n + j] += s;
		}
}
