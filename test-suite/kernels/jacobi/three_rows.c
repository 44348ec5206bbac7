/* Three pointers to rows that move on.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
void f(int n, int m, double *restrict out, const double *restrict in)
{
	const double *up = in, *here = in + m, *down = in + 2 * (long)m;
	for (int i = 1; i < n - 1; i++) {
		double *row = out + (long)i * m;
		for (int j = 1; j < m - 1; j++)
			row[j] = 0.25 * (up[j] + down[j] + here[j - 1] + here[j + 1]);
		up = here;
		here = down;
		down += m;
	}
}
