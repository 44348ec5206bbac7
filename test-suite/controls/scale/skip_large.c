/* Large calls, which may be the timed ones, are left undone beyond a limit.
 * fp: ordered; flags: -O2 -march=native; verdict: different */
void f(int n, float *out, const float *in, float a)
{
	if (n > 5000)
		n = 5000;
	for (int i = 0; i < n; i++)
		out[i] = a * in[i];
}
