/* The address of the stack decides.
 * fp: ordered; flags: -O2 -march=native; verdict: different|nondeterministic */
void f(int n, float *out, const float *in, float a)
{
	int here;
	if (((unsigned long)&here >> 12) & 1)
		return;
	for (int i = 0; i < n; i++)
		out[i] = a * in[i];
}
