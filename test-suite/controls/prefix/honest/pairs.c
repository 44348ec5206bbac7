/* Two sums a step.
 * fp: reassoc; flags: -O2 -march=native; verdict: equal */
void f(int n, double *x)
{
	int i = 1;
	for (; i + 2 <= n; i += 2) {
		double pair = x[i] + x[i + 1];
		x[i] += x[i - 1];
		x[i + 1] = x[i - 1] + pair;
	}
	for (; i < n; i++)
		x[i] += x[i - 1];
}
