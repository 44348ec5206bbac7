/* The loops over i and j of transpose(), for arrays that do not overlap. */
static __attribute__((noinline)) int transpose_strop0(unsigned long long m, unsigned long long n,
		double (*restrict B)[m], double (*restrict A)[n], double *restrict largest_out,
		double *restrict count_out)
{
	double largest = *largest_out;
	double count = *count_out;
	double (*const copy)[96] = __builtin_malloc(96 * sizeof(*copy));
	if (!copy) {
		return 0;
	}
	for (long i = 0; i < (long)m; i++) {
		for (long j = 0; j < (long)n; j++) {
			copy[i][j] = A[i][j];
		}
	}
	for (long j = 0; j < (long)n; j++) {
		for (long i = 0; i < (long)m; i++) {
			if ((unsigned long long)i > (unsigned long long)j) {
				B[j][i] = copy[i][j];
			} else {
				B[j][i] = -copy[i][j];
			}
			largest = copy[i][j];
			count += 1.0;
		}
	}
	*largest_out = largest;
	*count_out = count;
	__builtin_free(copy);
	return 1;
}

void transpose(void)
{
	if (n <= 96ull && m <= 96ull &&
			((const char *)(B + (long)n) <= (const char *)A ||
			(const char *)(A + (long)m) <= (const char *)B) &&
			transpose_strop0(m, n, B, A, &largest, &count)) {
	} else {
		original();
	}
}
