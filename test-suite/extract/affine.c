/* Loops and subscripts that are affine as they stand. */
enum { N = 100 };
static double table[N][N];

void gemm(int m, int n, int k, double alpha, double A[m][k], double B[k][n], double C[m][n])
{
	for (int i = 0; i < m; i++)
		for (int j = 0; j < n; j++)
			for (int l = 0; l < k; l++)
				C[i][j] += alpha * A[i][l] * B[l][j];
}

void triangle(int n)
{
	for (int i = 0; i < n; i++)
		for (int j = i + 1; j <= n - 1; ++j)
			table[i][j] = table[j][i];
}

void backwards(int n, float *x, const float *y)
{
	for (int i = n - 1; i >= 0; i--)
		x[i] = y[i] * 2.0f;
	for (int i = n; i > 0; i -= 2)
		x[i - 1] += 1;
}

void steps(int n, float *x)
{
	int i;

	for (i = 3; i < n; i = i + 4)
		x[i] = x[i - 3];
	for (i = 0; n > i; i += 2)
		x[3 * i + 1] = 0;
	for (i = 0; i != n; i++)
		x[i] -= 1;
}

void jacobi(int t, int n, double A[n], double B[n])
{
	for (int s = 0; s < t; s++) {
		for (int i = 1; i < n - 1; i++)
			B[i] = 0.33333 * (A[i - 1] + A[i] + A[i + 1]);
		for (int i = 1; i < n - 1; i++)
			A[i] = 0.33333 * (B[i - 1] + B[i] + B[i + 1]);
	}
}

void halves(int n, int m, float *x)
{
	for (int i = 0; i < n / 2; i++)
		x[i] += x[i + n / 2];
	for (int i = 0; i < n * m; i++)
		x[i] *= 0.5f;
}
