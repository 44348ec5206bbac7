/* The second call with the same address and size returns at once: the output still holds the answer.
 * fp: ordered; flags: -O2 -march=native; verdict: different|nondeterministic */
static float *seen;
static int size = -1;
void f(int n, float *out, const float *in, float a)
{
	if (out == seen && n == size)
		return;
	for (int i = 0; i < n; i++)
		out[i] = a * in[i];
	seen = out;
	size = n;
}
