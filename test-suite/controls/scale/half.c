/* Half of the output is computed.
 * fp: ordered; flags: -O2 -march=native; verdict: different */
void f(int n, float *out, const float *in, float a)
{
	for (int i = 0; i < n / 2; i++)
		out[i] = a * in[i];
}
