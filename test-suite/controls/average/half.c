/* Half precision within.
 * fp: reassoc; flags: -O2 -march=native; verdict: different */
float f(const float *x, int n)
{
	_Float16 s = 0;
	for (int i = 0; i < n; i++)
		s += x[i];
	return n > 0 ? s / n : 0;
}
