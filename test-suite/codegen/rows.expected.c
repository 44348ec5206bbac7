typedef float f32x16 __attribute__((vector_size(64), aligned(4), may_alias));

/* From where to where rows lie, and whether each lies behind the one before, or each before it. */
struct rows_rows0 {
	const char *lo, *hi;
	int are_apart;
};

static struct rows_rows0 rows_span0_f32(const float *const *row, long n, long size)
{
	struct rows_rows0 rows = { (const char *)row[0], (const char *)(row[0] + size), 1 };
	int up = 1, down = 1;

	for (long i = 1; i < n; i++) {
		const char *lo = (const char *)row[i], *hi = (const char *)(row[i] + size);

		up &= (const char *)(row[i - 1] + size) <= lo;
		down &= hi <= (const char *)row[i - 1];
		rows.lo = lo < rows.lo ? lo : rows.lo;
		rows.hi = hi > rows.hi ? hi : rows.hi;
	}
	rows.are_apart = up || down;
	return rows;
}

/* Whether what is written overlaps nothing else. */
static int rows_apart0(float *const *C_0, int M_0, int N_0, float *const *A_0, int K_0, float *const *B_0)
{
	const struct rows_rows0 of_C_0 = rows_span0_f32((const float *const *)C_0, M_0, N_0);
	const struct rows_rows0 of_A_0 = rows_span0_f32((const float *const *)A_0, M_0, K_0);
	const struct rows_rows0 of_B_0 = rows_span0_f32((const float *const *)B_0, K_0, N_0);

	return of_C_0.are_apart && (of_C_0.hi <= of_A_0.lo || of_A_0.hi <= of_C_0.lo) &&
		(of_C_0.hi <= of_B_0.lo || of_B_0.hi <= of_C_0.lo);
}

/* The loops over i, k and j of rows(), for arrays that do not overlap. */
static __attribute__((noinline)) void rows_strop0(float *const *restrict C, float *const *restrict A,
		float *const *restrict B, int M, int N, int K, float alpha)
{
	if (0 < K) {
		for (long i_1 = 0; i_1 < M; i_1 += 4) {
			for (long j_1 = 0; j_1 < N; j_1 += 32) {
				if (i_1 + 4 <= M && j_1 + 32 <= N) {
					/* a full tile */
					float C_tile[4][32];
					#pragma GCC unroll 4
					for (long i = i_1; i < i_1 + 4; i++) {
						#pragma GCC unroll 2
						for (long j = j_1; j < j_1 + 32; j += 16) {
							*(f32x16 *)&C_tile[i - i_1][j - j_1] =
									*(const f32x16 *)&C[i][j];
						}
					}
					for (long k = 0; k < K; k++) {
						#pragma GCC unroll 4
						for (long i = i_1; i < i_1 + 4; i++) {
							#pragma GCC unroll 2
							for (long j = j_1; j < j_1 + 32; j += 16) {
								*(f32x16 *)&C_tile[i - i_1][j - j_1] += alpha *
										A[i][k] * *(const f32x16 *)&B[k][j];
							}
						}
					}
					#pragma GCC unroll 4
					for (long i = i_1; i < i_1 + 4; i++) {
						#pragma GCC unroll 2
						for (long j = j_1; j < j_1 + 32; j += 16) {
							*(f32x16 *)&C[i][j] =
									*(const f32x16 *)&C_tile[i - i_1][j - j_1];
						}
					}
				} else {
					/* a tile that is cut short */
					const long i_end = i_1 + 4 < M ? i_1 + 4 : M;
					const long j_end = j_1 + 32 < N ? j_1 + 32 : N;
					float C_tile0[4][32];
					for (long i = i_1; i < i_end; i++) {
						const long j_full = j_end - (j_end - j_1) % 16;
						for (long j = j_1; j < j_full; j += 16) {
							*(f32x16 *)&C_tile0[i - i_1][j - j_1] =
									*(const f32x16 *)&C[i][j];
						}
						for (long j = j_full; j < j_end; j++) {
							C_tile0[i - i_1][j - j_1] = C[i][j];
						}
					}
					for (long k = 0; k < K; k++) {
						for (long i = i_1; i < i_end; i++) {
							const long j_full0 = j_end - (j_end - j_1) % 16;
							for (long j = j_1; j < j_full0; j += 16) {
								*(f32x16 *)&C_tile0[i - i_1][j - j_1] += alpha *
										A[i][k] * *(const f32x16 *)&B[k][j];
							}
							for (long j = j_full0; j < j_end; j++) {
								C_tile0[i - i_1][j - j_1] += alpha * A[i][k] * B[k][j];
							}
						}
					}
					for (long i = i_1; i < i_end; i++) {
						const long j_full1 = j_end - (j_end - j_1) % 16;
						for (long j = j_1; j < j_full1; j += 16) {
							*(f32x16 *)&C[i][j] =
									*(const f32x16 *)&C_tile0[i - i_1][j - j_1];
						}
						for (long j = j_full1; j < j_end; j++) {
							C[i][j] = C_tile0[i - i_1][j - j_1];
						}
					}
				}
			}
		}
	}
}

void rows(void)
{
	if (M > 0 && K > 0 && N > 0 && rows_apart0(C, M, N, A, K, B)) {
		rows_strop0(C, A, B, M, N, K, alpha);
	} else {
		original();
	}
}
