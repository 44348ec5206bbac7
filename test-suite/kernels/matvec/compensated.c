/* Sums with their error carried along.
 * fp: reassoc; flags: -O2 -march=native; verdict: equal */
void f(int n, int m, double *y, const double *a, const double *x)
{
	for (int i = 0; i < n; i++) {
		double s = 0, lost = 0;
		for (int j = 0; j < m; j++) {
			double term = a[i * m + j] * x[j] - lost, next = s + term;
			lost = next - s - term;
			s = next;
		}
		y[i] = s;
	}
}
