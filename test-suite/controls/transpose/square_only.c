/* The smaller side is taken for both.
 * fp: ordered; flags: -O2 -march=native; verdict: different */
void f(int n, int m, float *out, const float *in)
{
	int s = n < m ? n : m;
	for (int i = 0; i < s; i++)
		for (int j = 0; j < s; j++)
			out[j * n + i] = in[i * m + j];
}
