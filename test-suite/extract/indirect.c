/* Subscripts and bounds that are read from memory. */
void embed(float *out, const float *table, const int *tokens, int T, int C)
{
	for (int t = 0; t < T; t++) {
		const float *row = table + tokens[t] * C;

		for (int i = 0; i < C; i++)
			out[t * C + i] = row[i];
	}
}

void spmv(double *y, const double *a, const int *col, const int *row, const double *x, int n)
{
	for (int i = 0; i < n; i++) {
		y[i] = 0;
		for (int k = row[i]; k < row[i + 1]; k++)
			y[i] += a[k] * x[col[k]];
	}
}

void histogram(int *count, const unsigned char *data, int n)
{
	for (int i = 0; i < n; i++)
		count[data[i]]++;
}

void packed(double *x, const double *l, int n)
{
	for (int i = 0; i < n; i++) {
		for (int j = 0; j < i; j++)
			x[i] -= l[i * (i + 1) / 2 + j] * x[j];
		x[i] /= l[i * (i + 1) / 2 + i];
	}
}

void solve(double *x, double L[100][100], int n)
{
	for (int i = 0; i < n; i++) {
		for (int j = 0; j < i; j++)
			x[i] -= L[i][j] * x[j];
		x[i] /= L[i][i];
	}
}
