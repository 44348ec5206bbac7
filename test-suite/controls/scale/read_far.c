/* A vector beyond the end is read.
 * fp: ordered; flags: -O2 -march=native; verdict: out-of-bounds */
void f(int n, float *out, const float *in, float a)
{
	for (int i = 0; i < n; i++)
		out[i] = a * in[i];
	if (n > 0)
		(void)*(volatile const char *)((const char *)(in + n) + 60);
}
