/* The last sum in a register.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
void f(int n, double *x)
{
	double s = n > 1 ? x[0] : 0;
	for (int i = 1; i < n; i++)
		x[i] = s = x[i] + s;
}
