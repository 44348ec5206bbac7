/* The order matters when buffers overlap.
 * fp: ordered; flags: -O2 -march=native; verdict: different */
void f(int n, float *out, const float *in, float a)
{
	for (int i = n - 1; i >= 0; i--)
		out[i] = a * in[i];
}
