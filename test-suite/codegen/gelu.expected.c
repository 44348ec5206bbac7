typedef int i32x16 __attribute__((vector_size(64), aligned(4), may_alias));
typedef float f32x16 __attribute__((vector_size(64), aligned(4), may_alias));

/* expf in all lanes, within two units in the last place. */
static inline f32x16 gelu_expf0x16(f32x16 x)
{
	const i32x16 high = (i32x16)(x > 88.8f), low = (i32x16)(x < -104.0f);
	const f32x16 c = (f32x16)((~(high | low) & (i32x16)x) | (high & (i32x16)(88.8f - (f32x16){ 0 })) | (low & (i32x16)(-104.0f - (f32x16){ 0 })));
	const f32x16 z = c * 1.44269504f;
	const f32x16 half = (f32x16)(((i32x16)z & (int)0x80000000) | (i32x16)(0.5f - (f32x16){ 0 }));
	const i32x16 n = __builtin_convertvector(z + half, i32x16), n_half = n >> 1;
	const f32x16 m = __builtin_convertvector(n, f32x16);
	const f32x16 r = c - m * 0.693359375f - m * -2.12194440e-4f;
	f32x16 p = r * 1.9875691500e-4f + 1.3981999507e-3f;

	p = p * r + 8.3334519073e-3f;
	p = p * r + 4.1665795894e-2f;
	p = p * r + 1.6666665459e-1f;
	p = p * r + 5.0000001201e-1f;
	p = p * (r * r) + r + 1.0f;
	return (f32x16)((i32x16)p + (n_half << 23)) * (f32x16)((n - n_half + 127) << 23);
}

/* tanhf in all lanes, within two units in the last place. */
static inline f32x16 gelu_tanhf0x16(f32x16 x)
{
	const i32x16 sign = (i32x16)x & (int)0x80000000;
	const f32x16 a = (f32x16)((i32x16)x & 0x7fffffff), z = x * x;
	const i32x16 small = (i32x16)(a < 0.625f);
	const f32x16 large = 1.0f - 2.0f / (gelu_expf0x16(a + a) + 1.0f);
	f32x16 p = z * -5.70498872745e-3f + 2.06390887954e-2f;

	p = p * z - 5.37397155531e-2f;
	p = p * z + 1.33314422036e-1f;
	p = p * z - 3.33332819422e-1f;
	p = p * (z * x) + x;
	return (f32x16)((small & (i32x16)p) | (~small & (sign | (i32x16)large)));
}

/* The loop over i of gelu(), for arrays that do not overlap. */
static __attribute__((noinline)) void gelu_strop0(float *restrict y, const float *restrict x, float *restrict e, int n,
		float scale)
{
	const long i_full = n - n % 16;
	for (long i = 0; i < i_full; i += 16) {
		const f32x16 cube = 0.044715f * *(const f32x16 *)&x[i] * *(const f32x16 *)&x[i] *
				*(const f32x16 *)&x[i];
		*(f32x16 *)&y[i] = 0.5f * *(const f32x16 *)&x[i] * (1.0f +
				gelu_tanhf0x16(scale * (*(const f32x16 *)&x[i] + cube)));
		*(f32x16 *)&e[i] = gelu_expf0x16(40.0f * *(const f32x16 *)&x[i]);
	}
	for (long i = i_full; i < n; i++) {
		const float cube = 0.044715f * x[i] * x[i] * x[i];
		y[i] = 0.5f * x[i] * (1.0f + tanhf(scale * (x[i] + cube)));
		e[i] = expf(40.0f * x[i]);
	}
}

void gelu(void)
{
	if ((y + n <= x || x + n <= y) && (y + n <= e || e + n <= y) && (x + n <= e || e + n <= x)) {
		gelu_strop0(y, x, e, n, scale);
	} else {
		original();
	}
}
