/* Branches.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
void f(int n, int *out, const int *in, int least, int most)
{
	for (int i = 0; i < n; i++) {
		int v = in[i];
		if (v < least)
			v = least;
		else if (v > most)
			v = most;
		out[i] = v;
	}
}
