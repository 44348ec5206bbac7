/* Unrolled, in order.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
float f(const float *x, const float *y, int n)
{
	float s = 0;
	int i = 0;
	for (; i + 2 <= n; i += 2) {
		s += x[i] * y[i];
		s += x[i + 1] * y[i + 1];
	}
	for (; i < n; i++)
		s += x[i] * y[i];
	return s;
}
