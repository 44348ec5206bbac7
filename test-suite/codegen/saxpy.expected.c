typedef float f32x16 __attribute__((vector_size(64), aligned(4), may_alias));

/* The loop over i of saxpy(), for arrays that do not overlap. */
static __attribute__((noinline)) void saxpy_strop0(float *restrict y, const float *restrict x, int n, float a)
{
	const long i_full = n - n % 32;
	for (long i = 0; i < i_full; i += 32) {
		*(f32x16 *)&y[i] += a * *(const f32x16 *)&x[i];
		*(f32x16 *)&y[i + 16] += a * *(const f32x16 *)&x[i + 16];
	}
	const long i_full0 = n - n % 16;
	for (long i = i_full; i < i_full0; i += 16) {
		*(f32x16 *)&y[i] += a * *(const f32x16 *)&x[i];
	}
	for (long i = i_full0; i < n; i++) {
		y[i] += a * x[i];
	}
}

void saxpy(void)
{
	if (y + n <= x || x + n <= y) {
		saxpy_strop0(y, x, n, a);
	} else {
		original();
	}
}
