/* Small kernels, a few microseconds to a few hundred: what a search spends most of its candidates on. */

void multiply(int n, float *c, const float *a, const float *b)
{
#pragma strop sizes(n=64)
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++) {
			float sum = 0;
			for (int k = 0; k < n; k++)
				sum += a[i * n + k] * b[k * n + j];
			c[i * n + j] = sum;
		}
}

void apply(int rows, int columns, double *y, const double *a, const double *x)
{
#pragma strop sizes(rows=128,columns=128)
	for (int i = 0; i < rows; i++)
		for (int j = 0; j < columns; j++)
			y[j] += a[i * columns + j] * x[i];
}

void smooth(int height, int width, float *out, const float *in)
{
#pragma strop sizes(height=64,width=64)
	for (int y = 1; y < height - 1; y++)
		for (int x = 1; x < width - 1; x++)
			out[y * width + x] = 0.25f * (in[(y - 1) * width + x] + in[(y + 1) * width + x] +
						      in[y * width + x - 1] + in[y * width + x + 1]);
}

void columns(int n, double *sum, const double *a)
{
#pragma strop sizes(n=128)
	for (int j = 0; j < n; j++) {
		double s = 0;
		for (int i = 0; i < n; i++)
			s += a[i * n + j];
		sum[j] = s;
	}
}
