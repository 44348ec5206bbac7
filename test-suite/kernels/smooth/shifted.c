/* The division towards zero by a shift.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
static inline int quarter(int v)
{
	return (v + ((v >> 31) & 3)) >> 2;
}
void f(int n, short *out, const short *in)
{
	for (int i = 1; i < n - 1; i++)
		out[i] = quarter(in[i - 1] + in[i] + in[i] + in[i + 1]);
}
