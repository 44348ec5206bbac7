/* All elements get the first answer.
 * fp: ordered; flags: -O2 -march=native; verdict: different|out-of-bounds */
void f(int n, float *out, const float *in, float a)
{
	for (int i = 0; i < n; i++)
		out[i] = a * in[0];
}
