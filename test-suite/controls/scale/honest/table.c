/* An unused table and a constructor that means no harm.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
static const float one[4] = { 1, 1, 1, 1 };
static int ready;
__attribute__((constructor)) static void start(void) { ready = 1; }
void f(int n, float *out, const float *in, float a)
{
	for (int i = 0; i < n; i++)
		out[i] = a * in[i] * one[i & 3];
	(void)ready;
}
