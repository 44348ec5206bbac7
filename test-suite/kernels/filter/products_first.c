/* Products with b in a pass of their own.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
void f(int n, float *restrict y, const float *restrict x, float a, float b)
{
	float term[64];
	for (int at = 1; at < n; at += 64) {
		int count = n - at;
		count = count > 64 ? 64 : count;
		for (int i = 0; i < count; i++)
			term[i] = b * x[at + i];
		for (int i = 0; i < count; i++)
			y[at + i] = a * y[at + i - 1] + term[i];
	}
}
