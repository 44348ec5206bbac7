/* One term is left out where there are few.
 * fp: reassoc; flags: -O2 -march=native; verdict: different */
float f(const float *x, const float *y, int n)
{
	float s = 0;
	for (int i = 0; i < n; i++)
		if (i != 33)
			s += x[i] * y[i];
	return s;
}
