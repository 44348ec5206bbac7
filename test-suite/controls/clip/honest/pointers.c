/* Walking pointers.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
void f(int n, int *out, const int *in, int least, int most)
{
	while (n-- > 0) {
		int v = *in++;
		*out++ = v < least ? least : v > most ? most : v;
	}
}
