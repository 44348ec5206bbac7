/* Unrolled in order.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
float f(const float *x, int n)
{
	float s = 0;
	int i = 0;
	for (; i + 1 < n; i += 2) {
		s += x[i];
		s += x[i + 1];
	}
	if (i < n)
		s += x[i];
	return n > 0 ? s / n : 0;
}
