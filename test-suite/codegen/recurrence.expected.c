/* The loops over t, i and j of recurrence(). */
static __attribute__((noinline)) void recurrence_strop0(int n, double (*restrict A)[n], int steps)
{
	for (long t = 0; t < steps; t++) {
		for (long i = 1; i < n - 1; i++) {
			const long j_full = n - 1 - (n - 2) % 4;
			for (long j = 1; j < j_full; j += 4) {
				A[i][j] = (A[i - 1][j] + A[i][j - 1] + A[i][j] + A[i][j + 1] + A[i + 1][j]) / 5.0;
				A[i][j + 1] = (A[i - 1][j + 1] + A[i][j] + A[i][j + 1] + A[i][j + 2] +
						A[i + 1][j + 1]) / 5.0;
				A[i][j + 2] = (A[i - 1][j + 2] + A[i][j + 1] + A[i][j + 2] + A[i][j + 3] +
						A[i + 1][j + 2]) / 5.0;
				A[i][j + 3] = (A[i - 1][j + 3] + A[i][j + 2] + A[i][j + 3] + A[i][j + 4] +
						A[i + 1][j + 3]) / 5.0;
			}
			for (long j = j_full; j < n - 1; j++) {
				A[i][j] = (A[i - 1][j] + A[i][j - 1] + A[i][j] + A[i][j + 1] + A[i + 1][j]) / 5.0;
			}
		}
	}
}

void recurrence(void)
{
	recurrence_strop0(n, A, steps);
}
