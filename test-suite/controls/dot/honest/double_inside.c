/* Summed in a wider type.
 * fp: reassoc; flags: -O2 -march=native; verdict: equal */
float f(const float *x, const float *y, int n)
{
	double s = 0;
	for (int i = 0; i < n; i++)
		s += (double)x[i] * y[i];
	return (float)s;
}
