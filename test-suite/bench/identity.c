/* Short kernels of different kinds: what their builds' layouts are worth is what a stopwatch must not take for a gain. */

void axpy(int n, double a, const double *restrict x, double *restrict y)
{
#pragma strop sizes(n=2000)
	for (int i = 0; i < n; i++)
		y[i] += a * x[i];
}

double dot(int n, const double *restrict x, const double *restrict y)
{
	double sum = 0;
#pragma strop sizes(n=4000)
	for (int i = 0; i < n; i++)
		sum += x[i] * y[i];
	return sum;
}

int above(int n, float limit, const float *restrict x)
{
	int count = 0;
#pragma strop sizes(n=3000)
	for (int i = 0; i < n; i++)
		if (x[i] > limit)
			count += i;
	return count;
}

void horner(int n, int m, const double *restrict c, const double *restrict x, double *restrict y)
{
#pragma strop sizes(n=100,m=12)
	for (int i = 0; i < n; i++) {
		double v = 0;
		for (int k = 0; k < m; k++)
			v = v * x[i] + c[k];
		y[i] = v;
	}
}

void gather(int n, int m, const int *restrict index, const float *restrict x, float *restrict y)
{
#pragma strop sizes(n=4000,m=1000) inputs(index(index, 0, m))
	for (int i = 0; i < n; i++)
		y[i] = x[index[i]] * 2.0f;
}

void turn(int n, const float *restrict x, float *restrict y)
{
#pragma strop sizes(n=100)
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			y[j * n + i] = x[i * n + j];
}

void blend(int n, unsigned char alpha, const unsigned char *restrict x, unsigned char *restrict y)
{
#pragma strop sizes(n=6000)
	for (int i = 0; i < n; i++)
		y[i] = (unsigned char)((x[i] * alpha + y[i] * (255 - alpha) + 127) / 255);
}

void relax(int n, double *restrict x)
{
#pragma strop sizes(n=1500)
	for (int i = 1; i < n; i++)
		x[i] = 0.5 * (x[i - 1] + x[i]);
}
