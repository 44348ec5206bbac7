/* The next element is loaded early, where buffers are the same or apart.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
void f(int n, int *out, const int *in, int least, int most)
{
	if (out > in && out < in + n) {
		for (int i = 0; i < n; i++)
			out[i] = in[i] < least ? least : in[i] > most ? most : in[i];
		return;
	}
	int next = n > 0 ? in[0] : 0;
	for (int i = 0; i < n; i++) {
		int v = next;
		if (i + 1 < n)
			next = in[i + 1];
		out[i] = v < least ? least : v > most ? most : v;
	}
}
