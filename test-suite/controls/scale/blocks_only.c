/* The tail that fills no block of 16 is left.
 * fp: ordered; flags: -O2 -march=native; verdict: different */
void f(int n, float *out, const float *in, float a)
{
	for (int i = 0; i + 16 <= n; i += 16)
		for (int k = 0; k < 16; k++)
			out[i + k] = a * in[i + k];
}
