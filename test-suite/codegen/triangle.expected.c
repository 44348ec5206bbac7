/* The loops over i, j and k of triangle(), for arrays that do not overlap. */
static __attribute__((noinline)) void triangle_strop0(int n, int m, double (*restrict C)[n], double (*restrict A)[m])
{
	for (long i_1 = 0; i_1 < n; i_1 += 4) {
		const long j_1_end = i_1 + 4 < n ? i_1 + 4 : n;
		for (long j_1 = 0; j_1 < j_1_end; j_1 += 4) {
			if (i_1 + 4 <= n && j_1 + 3 <= i_1) {
				/* a full tile */
				for (long k = 0; k < m; k++) {
					#pragma GCC unroll 4
					for (long i = i_1; i < i_1 + 4; i++) {
						#pragma GCC unroll 4
						for (long j = j_1; j < j_1 + 4; j++) {
							C[i][j] += A[i][k] * A[j][k];
						}
					}
				}
			} else {
				/* a tile that is cut short */
				const long i_begin = j_1 > i_1 ? j_1 : i_1;
				const long i_end = i_1 + 4 < n ? i_1 + 4 : n;
				for (long k = 0; k < m; k++) {
					for (long i = i_begin; i < i_end; i++) {
						const long j_end = j_1 + 4 < i + 1 ? j_1 + 4 : i + 1;
						for (long j = j_1; j < j_end; j++) {
							C[i][j] += A[i][k] * A[j][k];
						}
					}
				}
			}
		}
	}
}

void triangle(void)
{
	if ((const char *)(C + n) <= (const char *)A || (const char *)(A + n) <= (const char *)C) {
		triangle_strop0(n, m, C, A);
	} else {
		original();
	}
}
