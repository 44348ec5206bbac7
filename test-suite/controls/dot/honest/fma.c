/* Fused products.
 * fp: reassoc; flags: -O2 -march=native; verdict: equal */
float f(const float *x, const float *y, int n)
{
	float s = 0;
	for (int i = 0; i < n; i++)
		s = __builtin_fmaf(x[i], y[i], s);
	return s;
}
