/* Conditions and choices. */
#include <math.h>
#include <stddef.h>

void clamp(float *x, int n, float lo, float hi)
{
	for (int i = 0; i < n; i++) {
		if (x[i] < lo)
			x[i] = lo;
		else if (x[i] > hi && hi > lo)
			x[i] = hi;
	}
}

void mask(float *a, int n)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++) {
			if (j <= i)
				a[i * n + j] = sqrtf(fabsf(a[i * n + j]));
			else
				a[i * n + j] = 0.0f;
		}
}

void optional(float *out, const float *in, const float *bias, int n)
{
	for (int i = 0; i < n; i++)
		out[i] = in[i] + (bias != NULL ? bias[i] : 0.0f);
	if (bias)
		out[0] = 0;
}

void select_index(int *x, int n, int m)
{
	for (int i = 0; i < n; i++) {
		int k;

		if (i < m)
			k = 2 * i;
		else
			k = i;
		x[k] = !x[i] || i == 3;
	}
}

void relu(float *restrict x, int n)
{
	for (int i = 0; i < n; i++)
		x[i] = x[i] > 0 ? x[i] : -0.01 * x[i];
}
