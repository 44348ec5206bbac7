/* It stops at the first product of zero.
 * fp: reassoc; flags: -O2 -march=native; verdict: different */
float f(const float *x, const float *y, int n)
{
	float s = 0;
	for (int i = 0; i < n; i++) {
		if (x[i] * y[i] == 0)
			break;
		s += x[i] * y[i];
	}
	return s;
}
