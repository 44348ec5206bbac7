/* Where the mask is set, found first.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
void f(int n, float *restrict out, const float *restrict x, const int *restrict mask)
{
	int at[128];
	for (int begin = 0; begin < n; begin += 128) {
		int end = n - begin > 128 ? begin + 128 : n, count = 0;
		for (int i = begin; i < end; i++) {
			at[count] = i;
			count += mask[i] != 0;
		}
		for (int c = 0; c < count; c++)
			out[at[c]] = x[at[c]] + 1;
	}
}
