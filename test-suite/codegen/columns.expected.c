typedef float f32x16 __attribute__((vector_size(64), aligned(4), may_alias));

/* The loops over j and i of columns(), for arrays that do not overlap. */
static __attribute__((noinline)) void columns_strop0(float *restrict s, const float *restrict A, int n, int m)
{
	const long j_full = m - m % 16;
	for (long j = 0; j < j_full; j += 16) {
		f32x16 t = (f32x16){ 0 };
		for (long i = 0; i < n; i++) {
			t += *(const f32x16 *)&A[i * m + j];
		}
		*(f32x16 *)&s[j] = t;
	}
	for (long j = j_full; j < m; j++) {
		float t = 0.0f;
		for (long i = 0; i < n; i++) {
			t += A[i * m + j];
		}
		s[j] = t;
	}
}

void columns(void)
{
	if (s + m <= A || A + (long)n * m <= s) {
		columns_strop0(s, A, n, m);
	} else {
		original();
	}
}
