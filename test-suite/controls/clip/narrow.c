/* Sixteen bits are enough for everyone.
 * fp: ordered; flags: -O2 -march=native; verdict: different */
void f(int n, int *out, const int *in, int least, int most)
{
	for (int i = 0; i < n; i++) {
		short t = (short)in[i];
		out[i] = t < least ? least : t > most ? most : t;
	}
}
