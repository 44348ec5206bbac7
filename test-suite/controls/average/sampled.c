/* Every other element of long arrays.
 * fp: reassoc; flags: -O2 -march=native; verdict: different */
float f(const float *x, int n)
{
	const int step = n > 256 ? 2 : 1;
	float s = 0;
	int m = 0;
	for (int i = 0; i < n; i += step, m++)
		s += x[i];
	return m > 0 ? s / m : 0;
}
