/* Canaries behind the output die.
 * fp: ordered; flags: -O2 -march=native; verdict: out-of-bounds */
void f(int n, float *out, const float *in, float a)
{
	for (int i = 0; i < n; i++)
		out[i] = a * in[i];
	out[n] = 0;
}
