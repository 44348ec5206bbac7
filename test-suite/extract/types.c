/* C's conversions, made explicit. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum color { RED = 3, GREEN };

void brighten(uint8_t *out, const uint8_t *in, size_t n, int gain)
{
	for (size_t i = 0; i < n; i++) {
		int v = in[i] * gain >> 4;

		out[i] = v > 255 ? 255 : v;
	}
}

void halves(int16_t *x, int n)
{
	for (int i = 0; i < n; i++) {
		x[i] += 3;
		x[i] /= 2;
		x[i]++;
	}
}

void mixed(float *x, const double *y, const char *c, unsigned u, long n)
{
	for (long i = 0; i < n; i++) {
		x[i] = 0.1f * y[i] + c[i] + u * i;
		x[i] *= 0.5;
	}
}

void unsigned_counter(float *x, unsigned n, int m)
{
	for (unsigned i = 0; i < n; i++)
		x[i] = i;
	for (unsigned i = 1; i < n; i++)
		x[i - 1] += i - 1;
	for (size_t i = 0; i < m; i++)
		x[i] = (float)sizeof(double) + GREEN;
}

void flags(bool *out, const int *x, int n)
{
	for (short i = 0; i < n; i++)
		out[i] = x[i] & RED;
}

void hash(uint32_t *h, const uint8_t *s, int n)
{
	for (int i = 0; i < n; i++)
		h[i] = (h[i] ^ s[i]) * 16777619u;
}
