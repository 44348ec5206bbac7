/* Kernels whose work can be cut by a known part without changing a result: chains that have reached their fixed point long
 * before the last of their 1,000 steps, each step waiting for the one before, so that 926 steps take 926 thousandths of
 * the time; and passes that change nothing after the first. Timed with both counts they are a true speed-up of 8 %. */

void damp(int n, double t, const double *restrict x, double *restrict y)
{
#pragma strop sizes(n=16)
	for (int i = 0; i < n; i++) {
		for (int k = 0; k < 1000; k++)
			t = t * 0.5 + 1.0;
		y[i] = x[i] * t;
	}
}

void fraction(int n, double t, const double *restrict x, double *restrict y)
{
#pragma strop sizes(n=100)
	for (int i = 0; i < n; i++) {
		for (int k = 0; k < 1000; k++)
			t = 1.0 / (1.5 + t * t);
		y[i] = x[i] * t;
	}
}

void halve(int n, unsigned t, const unsigned *restrict x, unsigned *restrict y)
{
#pragma strop sizes(n=2000)
	for (int i = 0; i < n; i++) {
		for (int k = 0; k < 1000; k++)
			t = (t >> 1) + 3u;
		y[i] = x[i] + t;
	}
}

void peaks(int n, const float *restrict x, float *restrict y)
{
#pragma strop sizes(n=12)
	for (int b = 0; b < n; b++)
		for (int p = 0; p < 1000; p++)
			for (int i = 0; i < 512; i++)
				y[b * 512 + i] = y[b * 512 + i] < x[b * 512 + i] ? x[b * 512 + i] : y[b * 512 + i];
}
