/* A pointer to the bin.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
void f(int n, int *bin, const unsigned char *in)
{
	for (const unsigned char *end = in + (n > 0 ? n : 0); in != end; in++) {
		int *slot = &bin[*in];
		*slot = *slot + 1;
	}
}
