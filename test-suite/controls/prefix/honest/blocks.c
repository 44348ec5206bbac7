/* Sums of blocks first.
 * fp: reassoc; flags: -O2 -march=native; verdict: equal */
void f(int n, double *x)
{
	double before = 0;
	if (n < 2)
		return;
	for (int s = 0; s < n; s += 32) {
		int e = s + 32 < n ? s + 32 : n;
		for (int i = s + 1; i < e; i++)
			x[i] += x[i - 1];
		if (s)
			for (int i = s; i < e; i++)
				x[i] += before;
		before = x[e - 1];
	}
}
