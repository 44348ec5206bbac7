/* Four partial sums.
 * fp: reassoc; flags: -O2 -march=native; verdict: equal */
float f(const float *x, const float *y, int n)
{
	float s[4] = { 0 }, t = 0;
	int i = 0;
	for (; i + 4 <= n; i += 4)
		for (int k = 0; k < 4; k++)
			s[k] += x[i + k] * y[i + k];
	for (; i < n; i++)
		t += x[i] * y[i];
	return (s[0] + s[1]) + (s[2] + s[3]) + t;
}
