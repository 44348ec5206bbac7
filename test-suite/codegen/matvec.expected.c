/* The loops over i and j of matvec(), for arrays that do not overlap. */
static __attribute__((noinline)) void matvec_strop0(int n, double *restrict y, double (*restrict A)[n],
		const double *restrict x, int m)
{
	const long i_1_full = m - m % 4;
	for (long i_1 = 0; i_1 < i_1_full; i_1 += 4) {
		double t_part_0 = 0.0;
		double t_part_1 = 0.0;
		double t_part_2 = 0.0;
		double t_part_3 = 0.0;
		for (long j = 0; j < n; j++) {
			t_part_0 += A[i_1][j] * x[j];
			t_part_1 += A[i_1 + 1][j] * x[j];
			t_part_2 += A[i_1 + 2][j] * x[j];
			t_part_3 += A[i_1 + 3][j] * x[j];
		}
		y[i_1] = t_part_0;
		y[i_1 + 1] = t_part_1;
		y[i_1 + 2] = t_part_2;
		y[i_1 + 3] = t_part_3;
	}
	if (i_1_full < m) {
		/* what is left of the last tile */
		double t_part0[4];
		for (long i = i_1_full; i < m; i++) {
			t_part0[i - i_1_full] = 0.0;
		}
		for (long j = 0; j < n; j++) {
			for (long i = i_1_full; i < m; i++) {
				t_part0[i - i_1_full] += A[i][j] * x[j];
			}
		}
		for (long i = i_1_full; i < m; i++) {
			y[i] = t_part0[i - i_1_full];
		}
	}
}

void matvec(void)
{
	if (((const char *)(y + m) <= (const char *)A || (const char *)(A + m) <= (const char *)y) &&
			(y + m <= x || x + n <= y)) {
		matvec_strop0(n, y, A, x, m);
	} else {
		original();
	}
}
