typedef float f32x16 __attribute__((vector_size(64), aligned(4), may_alias));

/* The loops over i, k and j of gemm(), for arrays that do not overlap. */
static __attribute__((noinline)) void gemm_strop0(float *restrict C, const float *restrict A, const float *restrict B,
		int M, int N, int K, float alpha)
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
									*(const f32x16 *)&C[i * N + j];
						}
					}
					for (long k = 0; k < K; k++) {
						#pragma GCC unroll 4
						for (long i = i_1; i < i_1 + 4; i++) {
							#pragma GCC unroll 2
							for (long j = j_1; j < j_1 + 32; j += 16) {
								*(f32x16 *)&C_tile[i - i_1][j - j_1] += alpha *
										A[i * K + k] * *(const f32x16 *)&B[k * N + j];
							}
						}
					}
					#pragma GCC unroll 4
					for (long i = i_1; i < i_1 + 4; i++) {
						#pragma GCC unroll 2
						for (long j = j_1; j < j_1 + 32; j += 16) {
							*(f32x16 *)&C[i * N + j] =
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
									*(const f32x16 *)&C[i * N + j];
						}
						for (long j = j_full; j < j_end; j++) {
							C_tile0[i - i_1][j - j_1] = C[i * N + j];
						}
					}
					for (long k = 0; k < K; k++) {
						for (long i = i_1; i < i_end; i++) {
							const long j_full0 = j_end - (j_end - j_1) % 16;
							for (long j = j_1; j < j_full0; j += 16) {
								*(f32x16 *)&C_tile0[i - i_1][j - j_1] += alpha *
										A[i * K + k] * *(const f32x16 *)&B[k * N + j];
							}
							for (long j = j_full0; j < j_end; j++) {
								C_tile0[i - i_1][j - j_1] += alpha * A[i * K + k] *
										B[k * N + j];
							}
						}
					}
					for (long i = i_1; i < i_end; i++) {
						const long j_full1 = j_end - (j_end - j_1) % 16;
						for (long j = j_1; j < j_full1; j += 16) {
							*(f32x16 *)&C[i * N + j] =
									*(const f32x16 *)&C_tile0[i - i_1][j - j_1];
						}
						for (long j = j_full1; j < j_end; j++) {
							C[i * N + j] = C_tile0[i - i_1][j - j_1];
						}
					}
				}
			}
		}
	}
}

void gemm(void)
{
	if ((C + (long)M * N <= A || A + (long)M * K <= C) && (C + (long)M * N <= B || B + (long)K * N <= C)) {
		gemm_strop0(C, A, B, M, N, K, alpha);
	} else {
		original();
	}
}
