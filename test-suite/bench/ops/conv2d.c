/* A convolution layer: 3 by 3, channels before rows and columns, no padding. */
#include "ops.h"

enum { IN = 64, OUT = 64, H = 58, W = 58, K = 3 };

void conv2d(float *out, const float *in, const float *weight, const float *bias, int n_out, int n_in, int h, int w)
{
	int oh = h - 2, ow = w - 2;

	for (int o = 0; o < n_out; o++)
		for (int y = 0; y < oh; y++)
			for (int x = 0; x < ow; x++) {
				float sum = bias[o];

				for (int c = 0; c < n_in; c++)
					for (int ky = 0; ky < 3; ky++)
						for (int kx = 0; kx < 3; kx++)
							sum += in[(c * h + y + ky) * w + x + kx] * weight[((o * n_in + c) * 3 + ky) * 3 + kx];
				out[(o * oh + y) * ow + x] = sum;
			}
}

int main(void)
{
	float *in = draw(IN * H * W, 1), *weight = draw(OUT * IN * K * K, 2), *bias = draw(OUT, 3);
	float *out = draw(OUT * (H - 2) * (W - 2), 4);
	double least = LEAST_TIME(conv2d(out, in, weight, bias, OUT, IN, H, W));
	bool is_right = true;

	for (int at = 0; at < OUT * (H - 2) * (W - 2); at += 17) {
		int o = at / ((H - 2) * (W - 2)), y = at / (W - 2) % (H - 2), x = at % (W - 2);
		double sum = bias[o], magnitude = fabs(bias[o]);

		for (int c = 0; c < IN; c++)
			for (int k = 0; k < K * K; k++) {
				double term = (double)in[(c * H + y + k / K) * W + x + k % K] * weight[(o * IN + c) * K * K + k];

				sum += term;
				magnitude += fabs(term);
			}
		is_right = is_right && is_close(out[at], sum, magnitude);
	}
	return report(is_right, least);
}
