/* From the other end.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
void f(int n, float *x)
{
	for (int i = n - 1; i >= 0; i--)
		x[i] = x[i] > 0 ? x[i] : 0;
}
