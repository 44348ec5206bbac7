/* Signs first.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
void f(int n, float *x)
{
	for (int s = 0; s < n; s += 64) {
		unsigned char keep[64];
		int e = n - s < 64 ? n - s : 64;
		for (int i = 0; i < e; i++)
			keep[i] = x[s + i] > 0;
		for (int i = 0; i < e; i++)
			x[s + i] = keep[i] ? x[s + i] : 0;
	}
}
