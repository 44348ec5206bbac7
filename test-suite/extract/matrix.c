/* Matrices in structures: rows of "ld" elements, the diagonal, triangles; pictures with a stride and channels. */
#include <stdint.h>

struct matrix {
	int rows, cols, ld;
	double *data;
};

struct image {
	int width, height, channels, stride;
	uint8_t *pixels;
};

void solve_lower(const struct matrix *l, struct matrix *b)
{
	for (int c = 0; c < b->cols; c++)
		for (int i = 0; i < l->rows; i++) {
			for (int j = 0; j < i; j++)
				b->data[i * b->ld + c] -= l->data[i * l->ld + j] * b->data[j * b->ld + c];
			b->data[i * b->ld + c] /= l->data[i * l->ld + i];
		}
}

void solve_upper(const struct matrix *l, double *x)
{
	for (int i = l->rows - 1; i >= 0; i--) {
		for (int j = i + 1; j < l->rows; j++)
			x[i] -= l->data[j * l->ld + i] * x[j];
		x[i] /= l->data[i * l->ld + i];
	}
}

void lu(struct matrix *a)
{
	int n = a->rows;

	for (int k = 0; k < n; k++)
		for (int i = k + 1; i < n; i++) {
			a->data[i * a->ld + k] /= a->data[k * a->ld + k];
			for (int j = k + 1; j < n; j++)
				a->data[i * a->ld + j] -= a->data[i * a->ld + k] * a->data[k * a->ld + j];
		}
}

int cholesky(struct matrix *a)
{
	for (int i = 0; i < a->rows; i++) {
		for (int j = 0; j < i; j++) {
			for (int k = 0; k < j; k++)
				a->data[i * a->ld + j] -= a->data[i * a->ld + k] * a->data[j * a->ld + k];
			a->data[i * a->ld + j] /= a->data[j * a->ld + j];
		}
		if (a->data[i * a->ld + i] <= 0)
			return -1;
	}
	return 0;
}

double trace(const struct matrix *a)
{
	double sum = 0.0;

	for (int i = 0; i < a->rows; i++)
		sum += a->data[i * a->ld + i];
	return sum;
}

void backwards(const struct matrix *a, double *column, int j)
{
	for (int i = a->rows - 1; i >= 0; i--)
		column[i] = a->data[i * a->ld + j];
}

void saturate(struct image *im, int percent)
{
	for (int y = 0; y < im->height; y++)
		for (int x = 0; x < im->width; x++) {
			uint8_t *p = im->pixels + y * im->stride + x * im->channels;
			int gray = (p[0] + p[1] + p[2]) / 3;

			for (int c = 0; c < 3; c++)
				p[c] = gray + (p[c] - gray) * percent / 100;
		}
}

void darken(struct image *im)
{
	for (int y = 0; y < im->height; y++)
		for (int x = 0; x < im->width; x++)
			for (int c = 0; c < 3; c++)
				im->pixels[y * im->stride + 3 * x + c] /= 2;
}
