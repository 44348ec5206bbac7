/* A branch.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
void f(int n, float *x)
{
	for (int i = 0; i < n; i++)
		if (!(x[i] > 0))
			x[i] = 0;
}
