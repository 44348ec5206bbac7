/* The last result in a register.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
void f(int n, float *restrict y, const float *restrict x, float a, float b)
{
	if (n < 2)
		return;
	float last = y[0];
	for (int i = 1; i < n; i++) {
		last = a * last + b * x[i];
		y[i] = last;
	}
}
