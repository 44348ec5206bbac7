/* Products are rounded to half precision.
 * fp: reassoc; flags: -O2 -march=native; verdict: different */
float f(const float *x, const float *y, int n)
{
	float s = 0;
	for (int i = 0; i < n; i++)
		s += (float)(_Float16)(x[i] * y[i]);
	return s;
}
