/* A compensated sum.
 * fp: reassoc; flags: -O2 -march=native; verdict: equal */
float f(const float *x, const float *y, int n)
{
	float s = 0, c = 0;
	for (int i = 0; i < n; i++) {
		float t = x[i] * y[i] - c, u = s + t;
		c = (u - s) - t;
		s = u;
	}
	return s;
}
