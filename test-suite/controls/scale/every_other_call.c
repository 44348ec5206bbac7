/* Each second call computes.
 * fp: ordered; flags: -O2 -march=native; verdict: different|nondeterministic */
static int calls;
void f(int n, float *out, const float *in, float a)
{
	if (++calls % 2 == 0)
		return;
	for (int i = 0; i < n; i++)
		out[i] = a * in[i];
}
