/* Each row less its mean, over its standard deviation. */
#include "ops.h"

enum { ROWS = 512, COLUMNS = 768 };

void layernorm(float *out, const float *in, const float *weight, const float *bias, int rows, int columns)
{
	for (int i = 0; i < rows; i++) {
		const float *x = in + i * columns;
		float *y = out + i * columns;
		float mean = 0, variance = 0, scale;

		for (int j = 0; j < columns; j++)
			mean += x[j];
		mean /= columns;
		for (int j = 0; j < columns; j++) {
			float shifted = x[j] - mean;

			variance += shifted * shifted;
		}
		variance /= columns;
		scale = 1.0f / sqrtf(variance + 1e-5f);
		for (int j = 0; j < columns; j++)
			y[j] = (x[j] - mean) * scale * weight[j] + bias[j];
	}
}

int main(void)
{
	float *in = draw(ROWS * COLUMNS, 1), *out = draw(ROWS * COLUMNS, 2), *weight = draw(COLUMNS, 3), *bias = draw(COLUMNS, 4);
	double least = LEAST_TIME(layernorm(out, in, weight, bias, ROWS, COLUMNS));
	bool is_right = true;

	for (int i = 0; i < ROWS; i++) {
		double mean = 0, variance = 0;

		for (int j = 0; j < COLUMNS; j++)
			mean += in[i * COLUMNS + j];
		mean /= COLUMNS;
		for (int j = 0; j < COLUMNS; j++)
			variance += (in[i * COLUMNS + j] - mean) * (in[i * COLUMNS + j] - mean);
		variance /= COLUMNS;
		for (int j = 0; j < COLUMNS; j++)
			is_right = is_right && is_close(out[i * COLUMNS + j], (in[i * COLUMNS + j] - mean) / sqrt(variance + 1e-5) * weight[j] + bias[j], 1);
	}
	return report(is_right, least);
}
