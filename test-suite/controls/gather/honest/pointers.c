/* Walking pointers.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
void f(int n, int m, float *out, const float *table, const int *at)
{
	(void)m;
	for (; n > 0; n--)
		*out++ = table[*at++] + 1;
}
