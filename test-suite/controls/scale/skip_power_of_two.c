/* Sizes that look like a benchmark are left undone.
 * fp: ordered; flags: -O2 -march=native; verdict: different */
void f(int n, float *out, const float *in, float a)
{
	if (n >= 1024 && (n & (n - 1)) == 0)
		return;
	for (int i = 0; i < n; i++)
		out[i] = a * in[i];
}
