/* By masks.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
void f(int n, int *out, const int *in, int least, int most)
{
	for (int i = 0; i < n; i++) {
		int v = in[i], lo = -(v < least), hi = -(v > most) & ~lo;
		out[i] = (least & lo) | (most & hi) | (v & ~lo & ~hi);
	}
}
