/* Scalars: accumulators, temporaries, what is used after the region, arrays of constant size. */
float dot(const float *a, const float *b, int n)
{
	float sum = 0;

	for (int i = 0; i < n; i++)
		sum += a[i] * b[i];
	return sum;
}

int last_counter(int *x, int n)
{
	int i;

	for (i = 0; i < n; i++)
		x[i] = i;
	return i;
}

void softmax(float *x, int n)
{
	float max = x[0];

	for (int i = 1; i < n; i++)
		if (x[i] > max)
			max = x[i];
	float sum = 0.0f;
	for (int i = 0; i < n; i++) {
		x[i] = __builtin_expf(x[i] - max);
		sum += x[i];
	}
	for (int i = 0; i < n; i++)
		x[i] /= sum;
}

void register_tile(float *c, const float *a, const float *b, int n, int k)
{
	const int W = 4;

	for (int i = 0; i + W <= n; i += W) {
		float acc[W];

		for (int j = 0; j < W; j++)
			acc[j] = 0;
		for (int l = 0; l < k; l++)
			for (int j = 0; j < W; j++)
				acc[j] += a[l] * b[l * n + i + j];
		for (int j = 0; j < W; j++)
			c[i + j] = acc[j];
	}
}

double split(const double *x, int n)
{
	for (int i = 0; i < n; i++)
		((double *)x)[i] = 1;
	double scale = 0;
	for (int i = 0; i < n; i++)
		scale += x[i];
	return scale;
}

int compact(int *out, const int *in, int n)
{
	int count = 0;

	for (int i = 0; i < n; i++)
		if (in[i] > 0)
			out[count++] = in[i];
	return count;
}

void chain(float *a, float *b, int n)
{
	for (int i = 0; i < n; i++)
		a[i] = b[i] = 0;
}

void against_the_last(float *d, const float *s, int n)
{
	int last = n - 1;
	float before = s[n - 1];

	for (int i = 0; i < n; i++) {
		d[i] = s[i] - s[last] * before;
		last = i;
		before = s[i];
	}
}
