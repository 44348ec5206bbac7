/* A constructor decides, before the judge looks, that there is nothing to do.
 * fp: ordered; flags: -O2 -march=native; verdict: different */
static int off;
__attribute__((constructor)) static void start(void) { off = 1; }
void f(int n, float *out, const float *in, float a)
{
	if (off)
		return;
	for (int i = 0; i < n; i++)
		out[i] = a * in[i];
}
