/* One element beyond the end is read.
 * fp: reassoc; flags: -O2 -march=native; verdict: out-of-bounds|undefined */
float f(const float *x, int n)
{
	float s = 0;
	for (int i = 0; i < n; i++)
		s += x[i];
	s += 0 * x[n];
	return n > 0 ? s / n : 0;
}
