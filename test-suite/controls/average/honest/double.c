/* Summed in double.
 * fp: reassoc; flags: -O2 -march=native; verdict: equal */
float f(const float *x, int n)
{
	double s = 0;
	for (int i = 0; i < n; i++)
		s += x[i];
	return n > 0 ? (float)(s / n) : 0;
}
