typedef double f64x8 __attribute__((vector_size(64), aligned(8), may_alias));

/* The loops over i, j and k of syrk(), for arrays that do not overlap. */
static __attribute__((noinline)) void syrk_strop0(int n, int m, double (*restrict C)[n], double (*restrict A)[m],
		double alpha, double beta)
{
	for (long i = 0; i < n; i++) {
		const long j_full = i + 1 - (i + 1) % 8;
		for (long j = 0; j < j_full; j += 8) {
			*(f64x8 *)&C[i][j] *= beta;
		}
		for (long j = j_full; j < i + 1; j++) {
			C[i][j] *= beta;
		}
		for (long k = 0; k < m; k++) {
			const long j_full0 = i + 1 - (i + 1) % 8;
			for (long j = 0; j < j_full0; j += 8) {
				*(f64x8 *)&C[i][j] += alpha * A[i][k] * (f64x8){ A[j][k], A[j + 1][k], A[j + 2][k],
						A[j + 3][k], A[j + 4][k], A[j + 5][k], A[j + 6][k], A[j + 7][k] };
			}
			for (long j = j_full0; j < i + 1; j++) {
				C[i][j] += alpha * A[i][k] * A[j][k];
			}
		}
	}
}

void syrk(void)
{
	if ((const char *)(C + n) <= (const char *)A || (const char *)(A + n) <= (const char *)C) {
		syrk_strop0(n, m, C, A, alpha, beta);
	} else {
		original();
	}
}
