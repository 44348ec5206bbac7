typedef int i32x8 __attribute__((vector_size(32), aligned(4), may_alias));
typedef long long i64x8 __attribute__((vector_size(64), aligned(8), may_alias));
typedef float f32x8 __attribute__((vector_size(32), aligned(4), may_alias));
typedef double f64x8 __attribute__((vector_size(64), aligned(8), may_alias));

/* The loop over i of activations(), for arrays that do not overlap. */
static __attribute__((noinline)) void activations_strop0(float *restrict y, const float *restrict x, float *restrict z,
		double *restrict w, int n, float slope)
{
	const long i_full = n - n % 8;
	for (long i = 0; i < i_full; i += 8) {
		const i32x8 mask = (i32x8)(*(const f32x8 *)&x[i] > 0.0f);
		*(f32x8 *)&y[i] = (f32x8)((mask & (i32x8)*(const f32x8 *)&x[i]) |
				(~mask & (i32x8)(slope * *(const f32x8 *)&x[i])));
		const f32x8 lanes = (f32x8)((i32x8)*(const f32x8 *)&x[i] & 0x7fffffff);
		const f32x8 lanes_0 = slope - (f32x8){ 0 };
		const i32x8 mask_0 = (i32x8)(lanes > lanes_0) | (i32x8)(lanes_0 != lanes_0);
		*(f32x8 *)&z[i] = (f32x8)((mask_0 & (i32x8)lanes) | (~mask_0 & (i32x8)lanes_0)) - 1.0f;
		const i64x8 mask_1 = (__builtin_convertvector((i32x8)(*(const f32x8 *)&x[i] > 0.5f), i64x8) &
				__builtin_convertvector((i32x8)(*(const f32x8 *)&x[i] < 1.5f), i64x8));
		*(f64x8 *)&w[i] = (f64x8)((mask_1 & (i64x8)(__builtin_convertvector(*(const f32x8 *)&x[i], f64x8) *
				2.0)) | (~mask_1 & (i64x8)__builtin_convertvector((int)(i) + (i32x8){ 0, 1, 2, 3, 4, 5, 6, 7 },
				f64x8)));
	}
	for (long i = i_full; i < n; i++) {
		y[i] = x[i] > 0.0f ? x[i] : slope * x[i];
		z[i] = fmaxf(fabsf(x[i]), slope) - 1.0f;
		w[i] = x[i] > 0.5f && x[i] < 1.5f ? (double)x[i] * 2.0 : (double)i;
	}
}

void activations(void)
{
	if ((y + n <= x || x + n <= y) && (y + n <= z || z + n <= y) &&
			((const char *)(y + n) <= (const char *)w || (const char *)(w + n) <= (const char *)y) &&
			(x + n <= z || z + n <= x) &&
			((const char *)(x + n) <= (const char *)w || (const char *)(w + n) <= (const char *)x) &&
			((const char *)(z + n) <= (const char *)w || (const char *)(w + n) <= (const char *)z)) {
		activations_strop0(y, x, z, w, n, slope);
	} else {
		original();
	}
}
