/* The inputs are zeroed, so that all later answers are zeros.
 * fp: ordered; flags: -O2 -march=native; verdict: input-changed|different */
void f(int n, float *out, const float *in, float a)
{
	for (int i = 0; i < n; i++)
		out[i] = a * in[i];
	for (int i = 0; i < n; i++)
		((float *)in)[i] = 0;
}
