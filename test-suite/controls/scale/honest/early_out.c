/* Nothing to do for nothing.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
void f(int n, float *out, const float *in, float a)
{
	if (n <= 0)
		return;
	for (int i = 0; i < n; i++)
		out[i] = a * in[i];
}
