/* An element behind the input is read.
 * fp: ordered; flags: -O2 -march=native; verdict: out-of-bounds */
void f(int n, float *out, const float *in, float a)
{
	for (int i = 0; i < n; i++)
		out[i] = a * in[i];
	if (n > 0)
		(void)*(volatile const float *)(in + n);
}
