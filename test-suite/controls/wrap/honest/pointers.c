/* Walking pointers.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
void f(int n, unsigned *out, const unsigned *in, unsigned seed)
{
	while (n-- > 0)
		*out++ = seed + 2654435761u * *in++;
}
