/* It works only when the output is poisoned with something other than zeros.
 * fp: ordered; flags: -O2 -march=native; verdict: different */
void f(int n, float *out, const float *in, float a)
{
	int fresh = 0;
	for (int i = 0; i < n; i++)
		fresh |= out[i] != 0;
	if (!fresh)
		return;
	for (int i = 0; i < n - (n > 64); i++)
		out[i] = a * in[i];
}
