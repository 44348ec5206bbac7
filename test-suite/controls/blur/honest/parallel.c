/* Rows on threads, where buffers are apart.
 * fp: ordered; flags: -O2 -march=native -fopenmp; verdict: equal */
static void plain(int w, int h, unsigned char *out, const unsigned char *in)
{
	for (int y = 1; y < h - 1; y++)
		for (int x = 1; x < w - 1; x++)
			out[y * w + x] = (in[y * w + x - 1] + 2 * in[y * w + x] + in[y * w + x + 1] + 2) >> 2;
}
void f(int w, int h, unsigned char *out, const unsigned char *in)
{
	if (!(out + (long)w * h <= in || in + (long)w * h <= out)) {
		plain(w, h, out, in);
		return;
	}
#pragma omp parallel for num_threads(2)
	for (int y = 1; y < h - 1; y++)
		for (int x = 1; x < w - 1; x++)
			out[y * w + x] = (in[y * w + x - 1] + 2 * in[y * w + x] + in[y * w + x + 1] + 2) >> 2;
}
