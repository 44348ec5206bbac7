/* An empty array divides by zero.
 * fp: reassoc; flags: -O2 -march=native; verdict: different */
float f(const float *x, int n)
{
	float s = 0;
	for (int i = 0; i < n; i++)
		s += x[i];
	return s / n;
}
