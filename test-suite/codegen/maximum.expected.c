typedef int i32x16 __attribute__((vector_size(64), aligned(4), may_alias));
typedef float f32x16 __attribute__((vector_size(64), aligned(4), may_alias));

static __attribute__((noinline)) float maximum_strop0(const float *restrict x, int n, float m)
{
	f32x16 m_p = m - (f32x16){ 0 };
	const long i_1_full = n - n % 16;
	for (long i_1 = 0; i_1 < i_1_full; i_1 += 16) {
		const i32x16 mask = (i32x16)(*(const f32x16 *)&x[i_1] > m_p);
		m_p = (f32x16)((mask & (i32x16)*(const f32x16 *)&x[i_1]) | (~mask & (i32x16)m_p));
	}
	if (i_1_full < n) {
		float m_p_lanes[16];
		*(f32x16 *)&m_p_lanes[0] = m_p;
		for (long i = i_1_full; i < n; i++) {
			if (x[i] > m_p_lanes[i - i_1_full]) {
				m_p_lanes[i - i_1_full] = x[i];
			}
		}
		m_p = *(const f32x16 *)&m_p_lanes[0];
	}
	m = m_p[0] > m ? m_p[0] : m;
	m = m_p[1] > m ? m_p[1] : m;
	m = m_p[2] > m ? m_p[2] : m;
	m = m_p[3] > m ? m_p[3] : m;
	m = m_p[4] > m ? m_p[4] : m;
	m = m_p[5] > m ? m_p[5] : m;
	m = m_p[6] > m ? m_p[6] : m;
	m = m_p[7] > m ? m_p[7] : m;
	m = m_p[8] > m ? m_p[8] : m;
	m = m_p[9] > m ? m_p[9] : m;
	m = m_p[10] > m ? m_p[10] : m;
	m = m_p[11] > m ? m_p[11] : m;
	m = m_p[12] > m ? m_p[12] : m;
	m = m_p[13] > m ? m_p[13] : m;
	m = m_p[14] > m ? m_p[14] : m;
	m = m_p[15] > m ? m_p[15] : m;
	return m;
}

void maximum(void)
{
	m = maximum_strop0(x, n, m);
}
