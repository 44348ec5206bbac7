/* Pointers and counters that move along with a loop. */
void copy(float *d, const float *s, int n)
{
	for (int i = 0; i < n; i++)
		*d++ = *s++ * 2.0f;
}

void rows(float *d, const float *s, int h, int w, int pitch)
{
	for (int y = 0; y < h; y++) {
		for (int x = 0; x < w; x++)
			d[x] = s[x];
		d += w;
		s += pitch;
	}
}

void interleave(const float *a, const float *b, float *out, int n)
{
	int k = 0;

	for (int i = 0; i < n; i++) {
		out[k++] = a[i];
		out[k++] = b[i];
	}
}

void two_counters(float *x, const float *y, int n)
{
	int i, j;

	for (i = 0, j = n - 1; i < n; i++, j--)
		x[i] = y[j];
}

void means(const float *p, float *out, int n, int c)
{
	for (int i = 0; i < n; i++, p += c) {
		float sum = 0;

		for (int k = 0; k < c; k++)
			sum += p[k];
		out[i] = sum / c;
	}
}

void reversed(float *x, const float *y, int n)
{
	for (int i = 0, j = n - 1; i < n; i++, j--)
		x[i] = y[j];
}
