/* Signed multiplication that wraps by definition.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
void f(int n, unsigned *out, const unsigned *in, unsigned seed)
{
	for (int i = 0; i < n; i++) {
		int t;
		(void)__builtin_mul_overflow((int)in[i], (int)2654435761u, &t);
		out[i] = (unsigned)t + seed;
	}
}
