/* The softmax of each row. */
#include "ops.h"

enum { ROWS = 512, COLUMNS = 1024 };

void softmax(float *out, const float *in, int rows, int columns)
{
	for (int i = 0; i < rows; i++) {
		const float *x = in + i * columns;
		float *y = out + i * columns;
		float most = x[0], sum = 0;

		for (int j = 1; j < columns; j++)
			if (x[j] > most)
				most = x[j];
		for (int j = 0; j < columns; j++) {
			y[j] = expf(x[j] - most);
			sum += y[j];
		}
		for (int j = 0; j < columns; j++)
			y[j] /= sum;
	}
}

int main(void)
{
	float *in = draw(ROWS * COLUMNS, 1), *out = draw(ROWS * COLUMNS, 2);
	double least;
	bool is_right = true;

	for (int i = 0; i < ROWS * COLUMNS; i++)
		in[i] *= 8;
	least = LEAST_TIME(softmax(out, in, ROWS, COLUMNS));
	for (int i = 0; i < ROWS; i++) {
		double sum = 0;

		for (int j = 0; j < COLUMNS; j++)
			sum += exp(in[i * COLUMNS + j]);
		for (int j = 0; j < COLUMNS; j++)
			is_right = is_right && is_close(out[i * COLUMNS + j], exp(in[i * COLUMNS + j]) / sum, 0);
	}
	return report(is_right, least);
}
