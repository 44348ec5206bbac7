/* The tail beyond blocks of eight is left out.
 * fp: reassoc; flags: -O2 -march=native; verdict: different */
float f(const float *x, int n)
{
	float s = 0;
	for (int i = 0; i < n - n % 8; i++)
		s += x[i];
	return n > 0 ? s / n : 0;
}
