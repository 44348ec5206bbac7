/* The user's own small functions and macros. */
#include <math.h>

#define AT(m, i, j) m[(i) * w + (j)]

static inline float sigmoid(float x)
{
	return 1.f / (1.f + expf(-x));
}

static float pixel(const float *im, int h, int w, int row, int col, int pad)
{
	row -= pad;
	col -= pad;
	if (row < 0 || col < 0 || row >= h || col >= w)
		return 0;
	return im[col + w * row];
}

static void add_pixel(float *im, int h, int w, int row, int col, float value)
{
	if (row >= h || col >= w)
		return;
	im[col + w * row] += value;
}

static float square(float x)
{
	float y = x * x;

	return y;
}

void activate(float *x, int n)
{
	for (int i = 0; i < n; i++)
		x[i] = sigmoid(x[i]) * square(x[i]);
}

void gather(float *out, const float *im, int h, int w, int pad)
{
	for (int y = 0; y < h + 2 * pad; y++)
		for (int x = 0; x < w + 2 * pad; x++)
			out[y * (w + 2 * pad) + x] = pixel(im, h, w, y, x, pad);
}

void scatter(float *im, const float *v, int h, int w)
{
	for (int y = 0; y < h; y++)
		for (int x = 0; x < w; x++)
			add_pixel(im, h, w, y + 1, x + 1, v[y * w + x]);
}

void macros(float *a, const float *b, int h, int w)
{
	for (int i = 0; i < h; i++)
		for (int j = 0; j < w; j++)
			AT(a, i, j) = AT(b, i, j) * M_PI;
}
