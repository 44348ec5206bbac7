typedef int i32x16 __attribute__((vector_size(64), aligned(4), may_alias));
typedef float f32x16 __attribute__((vector_size(64), aligned(4), may_alias));

/* The loop over i of maximum(). */
static __attribute__((noinline)) float maximum_strop0(const float *restrict x, int n, float m)
{
	f32x16 m_part = m - (f32x16){ 0 };
	const long i_1_full = n - n % 16;
	for (long i_1 = 0; i_1 < i_1_full; i_1 += 16) {
		const i32x16 mask = (i32x16)(*(const f32x16 *)&x[i_1] > m_part);
		m_part = (f32x16)((mask & (i32x16)*(const f32x16 *)&x[i_1]) | (~mask & (i32x16)m_part));
	}
	float m_part_lanes[16];
	*(f32x16 *)&m_part_lanes[0] = m_part;
	if (i_1_full < n) {
		/* what is left of the last tile */
		for (long i = i_1_full; i < n; i++) {
			if (x[i] > m_part_lanes[i - i_1_full]) {
				m_part_lanes[i - i_1_full] = x[i];
			}
		}
	}
	#pragma GCC unroll 16
	for (long m_l = 0; m_l < 16; m_l++) {
		m = m_part_lanes[m_l] > m ? m_part_lanes[m_l] : m;
	}
	return m;
}

void maximum(void)
{
	m = maximum_strop0(x, n, m);
}
