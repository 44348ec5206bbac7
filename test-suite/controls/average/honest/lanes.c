/* Four sums at a time.
 * fp: reassoc; flags: -O2 -march=native; verdict: equal */
float f(const float *x, int n)
{
	float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
	int i = 0;
	for (; i + 3 < n; i += 4) {
		s0 += x[i];
		s1 += x[i + 1];
		s2 += x[i + 2];
		s3 += x[i + 3];
	}
	for (; i < n; i++)
		s0 += x[i];
	return n > 0 ? (s0 + s1 + (s2 + s3)) / n : 0;
}
