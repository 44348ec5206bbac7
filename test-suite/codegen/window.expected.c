typedef float f32x16 __attribute__((vector_size(64), aligned(4), may_alias));

static __attribute__((noinline)) void window_strop0(float *restrict y, const float *restrict x,
		const float *restrict k, int h, int w)
{
	for (long i = 0; i < h - 2; i++) {
		const long j_full = w - 2 - (w - 2) % 16;
		for (long j = 0; j < j_full; j += 16) {
			*(f32x16 *)&y[i * w + j] = (f32x16){ 0 };
			*(f32x16 *)&y[i * w + j] += *(const f32x16 *)&x[i * w + j] * k[0];
			*(f32x16 *)&y[i * w + j] += *(const f32x16 *)&x[i * w + j + 1] * k[1];
			*(f32x16 *)&y[i * w + j] += *(const f32x16 *)&x[i * w + j + 2] * k[2];
			*(f32x16 *)&y[i * w + j] += *(const f32x16 *)&x[(i + 1) * w + j] * k[3];
			*(f32x16 *)&y[i * w + j] += *(const f32x16 *)&x[(i + 1) * w + j + 1] * k[4];
			*(f32x16 *)&y[i * w + j] += *(const f32x16 *)&x[(i + 1) * w + j + 2] * k[5];
			*(f32x16 *)&y[i * w + j] += *(const f32x16 *)&x[(i + 2) * w + j] * k[6];
			*(f32x16 *)&y[i * w + j] += *(const f32x16 *)&x[(i + 2) * w + j + 1] * k[7];
			*(f32x16 *)&y[i * w + j] += *(const f32x16 *)&x[(i + 2) * w + j + 2] * k[8];
		}
		for (long j = j_full; j < w - 2; j++) {
			y[i * w + j] = 0.0f;
			y[i * w + j] += x[i * w + j] * k[0];
			y[i * w + j] += x[i * w + j + 1] * k[1];
			y[i * w + j] += x[i * w + j + 2] * k[2];
			y[i * w + j] += x[(i + 1) * w + j] * k[3];
			y[i * w + j] += x[(i + 1) * w + j + 1] * k[4];
			y[i * w + j] += x[(i + 1) * w + j + 2] * k[5];
			y[i * w + j] += x[(i + 2) * w + j] * k[6];
			y[i * w + j] += x[(i + 2) * w + j + 1] * k[7];
			y[i * w + j] += x[(i + 2) * w + j + 2] * k[8];
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
