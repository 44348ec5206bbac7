/* Blocks without a set mask are passed over.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
void f(int n, float *restrict out, const float *restrict x, const int *restrict mask)
{
	int i = 0;
	for (; i + 4 <= n; i += 4) {
		if (!(mask[i] | mask[i + 1] | mask[i + 2] | mask[i + 3]))
			continue;
		for (int l = i; l < i + 4; l++)
			if (mask[l])
				out[l] = x[l] + 1;
	}
	for (; i < n; i++)
		if (mask[i])
			out[i] = x[i] + 1;
}
