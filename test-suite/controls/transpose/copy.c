/* A copy is right on symmetric matrices.
 * fp: ordered; flags: -O2 -march=native; verdict: different */
void f(int n, int m, float *out, const float *in)
{
	for (int i = 0; i < n * m; i++)
		out[i] = in[i];
}
