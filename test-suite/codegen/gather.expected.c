typedef float f32x8 __attribute__((vector_size(32), aligned(4), may_alias));

/* The loop over i of gather(), for arrays that do not overlap. */
static __attribute__((noinline)) void gather_strop0(float *restrict y, const float *restrict x,
		const float *restrict t, const int *restrict idx, int n)
{
	const long i_full = n - n % 8;
	for (long i = 0; i < i_full; i += 8) {
		const f32x8 lanes = (f32x8){ x[3 * i + 1], x[3 * i + 4], x[3 * i + 7], x[3 * i + 10], x[3 * i + 13],
				x[3 * i + 16], x[3 * i + 19], x[3 * i + 22] } * (f32x8){ t[idx[i]], t[idx[i + 1]], t[idx[i + 2]],
				t[idx[i + 3]], t[idx[i + 4]], t[idx[i + 5]], t[idx[i + 6]], t[idx[i + 7]] };
		y[2 * i] = lanes[0];
		y[2 * i + 2] = lanes[1];
		y[2 * i + 4] = lanes[2];
		y[2 * i + 6] = lanes[3];
		y[2 * i + 8] = lanes[4];
		y[2 * i + 10] = lanes[5];
		y[2 * i + 12] = lanes[6];
		y[2 * i + 14] = lanes[7];
	}
	for (long i = i_full; i < n; i++) {
		y[2 * i] = x[3 * i + 1] * t[idx[i]];
	}
}

void gather(void)
{
	if ((y + (2 * n + 2) <= x || x + (3 * n + 3) <= y) && (y + (2 * n + 2) <= t || t + n <= y) &&
			((const char *)(y + (2 * n + 2)) <= (const char *)idx ||
			(const char *)(idx + n) <= (const char *)y)) {
		gather_strop0(y, x, t, idx, n);
	} else {
		original();
	}
}
