/* The activation of transformers, with tanh. */
#include "ops.h"

enum { N = 1 << 18 };

void gelu(float *out, const float *in, int n)
{
	const float scale = 0.7978845608f;

	for (int i = 0; i < n; i++) {
		float x = in[i];
		float cube = 0.044715f * x * x * x;

		out[i] = 0.5f * x * (1.0f + tanhf(scale * (x + cube)));
	}
}

int main(void)
{
	float *in = draw(N, 1), *out = draw(N, 2);
	double least;
	bool is_right = true;

	for (int i = 0; i < N; i++)
		in[i] *= 4;
	least = LEAST_TIME(gelu(out, in, N));
	for (int i = 0; i < N; i++) {
		double x = in[i], exact = 0.5 * x * (1 + tanh(0.7978845608 * (x + 0.044715 * x * x * x)));

		is_right = is_right && is_close(out[i], exact, fabs(x));
	}
	return report(is_right, least);
}
