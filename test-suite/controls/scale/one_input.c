/* One input is changed.
 * fp: ordered; flags: -O2 -march=native; verdict: input-changed */
void f(int n, float *out, const float *in, float a)
{
	for (int i = 0; i < n; i++)
		out[i] = a * in[i];
	if (n > 3)
		((float *)in)[3] = in[2];
}
