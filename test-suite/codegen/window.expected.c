typedef float f32x16 __attribute__((vector_size(64), aligned(4), may_alias));

/* The loops over i, j, p and q of window(), for arrays that do not overlap. */
static __attribute__((noinline)) void window_strop0(float *restrict y, const float *restrict x,
		const float *restrict k, int h, int w)
{
	for (long i = 0; i < h - 2; i++) {
		const long j_full = w - 2 - (w - 2) % 16;
		for (long j = 0; j < j_full; j += 16) {
			*(f32x16 *)&y[i * w + j] = (f32x16){ 0 };
			#pragma GCC unroll 3
			for (long p = 0; p < 3; p++) {
				#pragma GCC unroll 3
				for (long q = 0; q < 3; q++) {
					*(f32x16 *)&y[i * w + j] += *(const f32x16 *)&x[(i + p) * w + j + q] *
							k[3 * p + q];
				}
			}
		}
		for (long j = j_full; j < w - 2; j++) {
			y[i * w + j] = 0.0f;
			#pragma GCC unroll 3
			for (long p = 0; p < 3; p++) {
				#pragma GCC unroll 3
				for (long q = 0; q < 3; q++) {
					y[i * w + j] += x[(i + p) * w + j + q] * k[3 * p + q];
				}
			}
		}
	}
}

void window(void)
{
	if ((y + (long)h * w <= x || x + (long)h * w <= y) && (y + (long)h * w <= k || k + 9 <= y)) {
		window_strop0(y, x, k, h, w);
	} else {
		original();
	}
}
