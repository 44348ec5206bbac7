typedef float f32x16 __attribute__((vector_size(64), aligned(4), may_alias));

static __attribute__((noinline)) float dot_strop0(const float *restrict x, const float *restrict y, int n, float s)
{
	f32x16 s_p_0 = (f32x16){ 0 };
	f32x16 s_p_1 = (f32x16){ 0 };
	const long i_1_full = n - n % 32;
	for (long i_1 = 0; i_1 < i_1_full; i_1 += 32) {
		s_p_0 += *(const f32x16 *)&x[i_1] * *(const f32x16 *)&y[i_1];
		s_p_1 += *(const f32x16 *)&x[i_1 + 16] * *(const f32x16 *)&y[i_1 + 16];
	}
	if (i_1_full < n) {
		const long i_full = n - (n - i_1_full) % 16;
		float s_p_lanes[32];
		*(f32x16 *)&s_p_lanes[0] = s_p_0;
		*(f32x16 *)&s_p_lanes[16] = s_p_1;
		for (long i = i_1_full; i < i_full; i += 16) {
			*(f32x16 *)&s_p_lanes[i - i_1_full] += *(const f32x16 *)&x[i] * *(const f32x16 *)&y[i];
		}
		for (long i = i_full; i < n; i++) {
			s_p_lanes[i - i_1_full] += x[i] * y[i];
		}
		s_p_0 = *(const f32x16 *)&s_p_lanes[0];
		s_p_1 = *(const f32x16 *)&s_p_lanes[16];
	}
	s += s_p_0[0];
	s += s_p_0[1];
	s += s_p_0[2];
	s += s_p_0[3];
	s += s_p_0[4];
	s += s_p_0[5];
	s += s_p_0[6];
	s += s_p_0[7];
	s += s_p_0[8];
	s += s_p_0[9];
	s += s_p_0[10];
	s += s_p_0[11];
	s += s_p_0[12];
	s += s_p_0[13];
	s += s_p_0[14];
	s += s_p_0[15];
	s += s_p_1[0];
	s += s_p_1[1];
	s += s_p_1[2];
	s += s_p_1[3];
	s += s_p_1[4];
	s += s_p_1[5];
	s += s_p_1[6];
	s += s_p_1[7];
	s += s_p_1[8];
	s += s_p_1[9];
	s += s_p_1[10];
	s += s_p_1[11];
	s += s_p_1[12];
	s += s_p_1[13];
	s += s_p_1[14];
	s += s_p_1[15];
	return s;
}

void dot(void)
{
	s = dot_strop0(x, y, n, s);
}
