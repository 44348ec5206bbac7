/* The loop over i of logistic(), for arrays that do not overlap. */
static __attribute__((noinline)) void logistic_strop0(float *restrict y, const float *restrict x, int n)
{
	#pragma GCC ivdep
	for (long i = 0; i < n; i++) {
		y[i] = 1.0f / (1.0f + expf(-x[i]));
	}
}

void logistic(void)
{
	if (y + n <= x || x + n <= y) {
		logistic_strop0(y, x, n);
	} else {
		original();
	}
}
