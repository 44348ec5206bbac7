/* Loops that step in their condition or at the end of their body. */
#include <stddef.h>

void copy(float *d, const float *s, int n)
{
	while (n--)
		*d++ = *s++;
}

void axpy(float *y, const float *x, size_t n, float a)
{
	for (; n--;)
		*y++ += a * *x++;
}

void positive(float *d, const float *s, int n)
{
	while (n-- > 0)
		d[n] = s[n];
}

void down(float *x, int n)
{
	while (n > 0) {
		x[n - 1] *= 2;
		n--;
	}
}

double up(const double *x, int n)
{
	double sum = 0.0;
	int i = 0;

	while (i < n) {
		double v = x[i];

		sum += v * v;
		i += 2;
	}
	return sum;
}

void rows(float *d, const float *s, int h, int w, int stride)
{
	for (int y = 0; y < h; y++) {
		const float *from = s + y * stride;
		float *to = d + y * w;
		int n = w;

		while (n--)
			*to++ = *from++;
	}
}

int after(float *d, int n)
{
	while (n-- > 0)
		*d++ = 0;
	return n;
}

int length(const char *s)
{
	int n = 0;

	while (s[n])
		n++;
	return n;
}

void chase(float *x, int n)
{
	while (n > 1) {
		x[n] = 0;
		n /= 2;
	}
}

void changed(float *x, int n)
{
	while (n--) {
		x[n] = 0;
		if (x[0] > 0)
			n--;
	}
}

void narrow(unsigned char *x, unsigned char n)
{
	while (n--)
		x[n] = 0;
}
