typedef unsigned char u8x16 __attribute__((vector_size(16), aligned(1), may_alias));
typedef int i32x16 __attribute__((vector_size(64), aligned(4), may_alias));
typedef float f32x16 __attribute__((vector_size(64), aligned(4), may_alias));

/* The loop over i of pixels(), for arrays that do not overlap. */
static __attribute__((noinline)) void pixels_strop0(unsigned char *restrict out, const unsigned char *restrict in,
		const float *restrict gain, int n, float bias)
{
	const long i_full = n - n % 16;
	for (long i = 0; i < i_full; i += 16) {
		const f32x16 v = __builtin_convertvector(*(const u8x16 *)&in[i], f32x16) * *(const f32x16 *)&gain[i] +
				bias;
		const i32x16 mask = (i32x16)(v < 0.0f);
		const i32x16 mask_0 = (i32x16)(v > 255.0f);
		const f32x16 lanes = (f32x16)((mask_0 & (i32x16)(255.0f - (f32x16){ 0 })) | (~mask_0 & (i32x16)v));
		const f32x16 c = (f32x16)((mask & (i32x16)(f32x16){ 0 }) | (~mask & (i32x16)lanes));
		*(u8x16 *)&out[i] = __builtin_convertvector(__builtin_convertvector(c + 0.5f, i32x16), u8x16);
	}
	for (long i = i_full; i < n; i++) {
		const float v = (float)in[i] * gain[i] + bias;
		const float c = v < 0.0f ? 0.0f : v > 255.0f ? 255.0f : v;
		out[i] = (unsigned char)(int)(c + 0.5f);
	}
}

void pixels(void)
{
	if ((out + n <= in || in + n <= out) &&
			((const char *)(out + n) <= (const char *)gain || (const char *)(gain + n) <= (const char *)out)) {
		pixels_strop0(out, in, gain, n, bias);
	} else {
		original();
	}
}
