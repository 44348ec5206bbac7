/* An element behind the output is written and put back.
 * fp: ordered; flags: -O2 -march=native; verdict: out-of-bounds */
void f(int n, float *out, const float *in, float a)
{
	float old = *(volatile float *)(out + n);
	*(volatile float *)(out + n) = 1;
	for (int i = 0; i < n; i++)
		out[i] = a * in[i];
	*(volatile float *)(out + n) = old;
}
