/* Duff's way with the tail.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
void f(int n, float *out, const float *in, float a)
{
	int i = 0, blocks = (n + 3) / 4;
	if (n <= 0)
		return;
	switch (n % 4) {
	case 0: do { out[i] = a * in[i]; i++; /* fall through */
	case 3: out[i] = a * in[i]; i++; /* fall through */
	case 2: out[i] = a * in[i]; i++; /* fall through */
	case 1: out[i] = a * in[i]; i++;
		} while (--blocks > 0);
	}
}
