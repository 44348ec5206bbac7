/* Constants: numbers, and arrays that are never written. */
static const int kernel[3] = {1, 2, 1};
static const float tab[2][4] = {{1, 2}, {3, 4}};
static int table[256];
float work(float *o, const float *x, int n)
{
	static const int local[4] = {0, 3, 2, 1};
	const int W = 8;
	const float scale = 2.0f;
	const long far = 5000000000;
	for (int i = 0; i < n; i++) {
		o[i] = x[i * W] * scale * kernel[i % 3] + tab[1][local[i & 3]];
	}
	for (int i = 0; i < n; i++)
		o[i] += table[i & 255] + kernel[1] + (i < far);
	return 0;
}
