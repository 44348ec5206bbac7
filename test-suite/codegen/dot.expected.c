typedef float f32x16 __attribute__((vector_size(64), aligned(4), may_alias));

/* The loop over i of dot(), for arrays that do not overlap. */
static __attribute__((noinline)) float dot_strop0(const float *restrict x, const float *restrict y, int n, float s)
{
	f32x16 s_part_0 = (f32x16){ 0 };
	f32x16 s_part_1 = (f32x16){ 0 };
	const long i_1_full = n - n % 32;
	for (long i_1 = 0; i_1 < i_1_full; i_1 += 32) {
		s_part_0 += *(const f32x16 *)&x[i_1] * *(const f32x16 *)&y[i_1];
		s_part_1 += *(const f32x16 *)&x[i_1 + 16] * *(const f32x16 *)&y[i_1 + 16];
	}
	float s_part_lanes[32];
	*(f32x16 *)&s_part_lanes[0] = s_part_0;
	*(f32x16 *)&s_part_lanes[16] = s_part_1;
	if (i_1_full < n) {
		/* what is left of the last tile */
		const long i_full = n - (n - i_1_full) % 16;
		for (long i = i_1_full; i < i_full; i += 16) {
			*(f32x16 *)&s_part_lanes[i - i_1_full] += *(const f32x16 *)&x[i] * *(const f32x16 *)&y[i];
		}
		for (long i = i_full; i < n; i++) {
			s_part_lanes[i - i_1_full] += x[i] * y[i];
		}
	}
	#pragma GCC unroll 32
	for (long s_l = 0; s_l < 32; s_l++) {
		s += s_part_lanes[s_l];
	}
	return s;
}

void dot(void)
{
	s = dot_strop0(x, y, n, s);
}
