static void matvec_strop0(int n, double *restrict y, double (*restrict A)[n], const double *restrict x, int m)
{
	for (long i_1 = 0; i_1 < m; i_1 += 4) {
		if (i_1 + 4 <= m) {
			double t_p_0 = 0.0;
			double t_p_1 = 0.0;
			double t_p_2 = 0.0;
			double t_p_3 = 0.0;
			for (long j = 0; j < n; j++) {
				t_p_0 += A[i_1][j] * x[j];
				t_p_1 += A[i_1 + 1][j] * x[j];
				t_p_2 += A[i_1 + 2][j] * x[j];
				t_p_3 += A[i_1 + 3][j] * x[j];
			}
			y[i_1] = t_p_0;
			y[i_1 + 1] = t_p_1;
			y[i_1 + 2] = t_p_2;
			y[i_1 + 3] = t_p_3;
		} else {
			const long i_end = i_1 + 4 < m ? i_1 + 4 : m;
			double t_p0[4];
			for (long i = i_1; i < i_end; i++) {
				t_p0[i - i_1] = 0.0;
			}
			for (long j = 0; j < n; j++) {
				for (long i = i_1; i < i_end; i++) {
					t_p0[i - i_1] += A[i][j] * x[j];
				}
			}
			for (long i = i_1; i < i_end; i++) {
				y[i] = t_p0[i - i_1];
			}
		}
	}
}

void matvec(void)
{
	if (((const char *)(y + m) <= (const char *)A || (const char *)(A + m) <= (const char *)y) && (y + m <= x || x + n <= y)) {
		matvec_strop0(n, y, A, x, m);
	} else {
	original();
	}
}
