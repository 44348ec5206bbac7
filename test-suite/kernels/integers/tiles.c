/* Tiles of two by two results.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
void f(int n, int m, int l, int *restrict c, const int *restrict a, const int *restrict b)
{
	for (int i = 0; i < n; i += 2)
		for (int j = 0; j < m; j += 2) {
			const int rows = i + 1 < n ? 2 : 1, columns = j + 1 < m ? 2 : 1;
			int s[2][2] = { { 0 } };
			for (int k = 0; k < l; k++)
				for (int p = 0; p < rows; p++)
					for (int q = 0; q < columns; q++)
						s[p][q] += a[(i + p) * l + k] * b[k * m + j + q];
			for (int p = 0; p < rows; p++)
				for (int q = 0; q < columns; q++)
					c[(i + p) * m + j + q] += s[p][q];
		}
}
