/* A loop of labels.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
void f(int n, float *out, const float *in, float a)
{
	int i = 0;
again:
	if (i >= n)
		return;
	out[i] = a * in[i];
	i++;
	goto again;
}
