/* Dense linear algebra the way it is first written: loops straight from the formulas.
 *
 * usage: linalg [repeats]
 * Results go to stdout, times to stderr. The exit status is 1 when a check fails. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Row-major; element (i, j) is data[i * ld + j]. */
typedef struct matrix {
	double *data;
	int rows, cols;
	int ld;
} matrix;

typedef struct {
	float *v;
	size_t n;
} fvector;

#define M(a, i, j) ((a)->data[(i) * (a)->ld + (j)])

static int failures;

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec * 1e-9;
}

static void *need(void *memory)
{
	if (!memory) {
		perror("linalg");
		exit(2);
	}
	return memory;
}

static matrix *matrix_new(int rows, int cols)
{
	matrix *a = need(malloc(sizeof(*a)));

	a->rows = rows;
	a->cols = cols;
	a->ld = cols + 3;
	a->data = need(calloc((size_t)rows * a->ld, sizeof(double)));
	return a;
}

static void matrix_free(matrix *a)
{
	free(a->data);
	free(a);
}

static matrix *matrix_copy(const matrix *a)
{
	matrix *copy = matrix_new(a->rows, a->cols);
	int i, j;

	for (i = 0; i < a->rows; i++)
		for (j = 0; j < a->cols; j++)
			M(copy, i, j) = M(a, i, j);
	return copy;
}

static void matrix_fill(matrix *a, unsigned seed)
{
	int i, j;

	for (i = 0; i < a->rows; i++)
		for (j = 0; j < a->cols; j++) {
			seed = seed * 69069u + 1u;
			M(a, i, j) = (double)(seed >> 8) / (1 << 24) - 0.5;
		}
}

/* c = alpha * a * b + beta * c */
static void gemm(double alpha, const matrix *a, const matrix *b, double beta, matrix *c)
{
	int i, j, k;

	for (i = 0; i < c->rows; i++) {
		for (j = 0; j < c->cols; j++) {
			double sum = 0.0;

			for (k = 0; k < a->cols; k++)
				sum += M(a, i, k) * M(b, k, j);
			M(c, i, j) = alpha * sum + beta * M(c, i, j);
		}
	}
}

/* The same on plain float arrays, updating c in the innermost loop. */
static void sgemm(int m, int n, int k, float alpha, const float *a, int lda, const float *b, int ldb, float *c, int ldc)
{
	int i, j, p;

	for (i = 0; i < m; ++i) {
		for (j = 0; j < n; ++j) {
			for (p = 0; p < k; ++p) {
				c[i * ldc + j] += alpha * a[i * lda + p] * b[p * ldb + j];
			}
		}
	}
}

/* c = a * a^T, lower triangle */
static void syrk(const matrix *a, matrix *c)
{
	for (int i = 0; i < a->rows; i++)
		for (int j = 0; j <= i; j++) {
			double sum = 0.0;

			for (int k = 0; k < a->cols; k++)
				sum += M(a, i, k) * M(a, j, k);
			M(c, i, j) = sum;
		}
}

static void gemv(const matrix *a, const double *x, double *y)
{
	for (int i = 0; i < a->rows; i++) {
		const double *row = a->data + i * a->ld;
		double sum = 0.0;

		for (int j = 0; j < a->cols; j++)
			sum += row[j] * x[j];
		y[i] = sum;
	}
}

/* y = a^T * x, column by column */
static void gemv_transposed(const matrix *a, const double *x, double *y)
{
	for (int j = 0; j < a->cols; j++) {
		y[j] = 0.0;
		for (int i = 0; i < a->rows; i++)
			y[j] += a->data[i * a->ld + j] * x[i];
	}
}

static void rank_one_update(matrix *a, double alpha, const double *x, const double *y)
{
	for (int j = 0; j < a->cols; j++)
		for (int i = 0; i < a->rows; i++)
			M(a, i, j) += alpha * x[i] * y[j];
}

/* Solve l * x = b, l lower triangular; x may be b. */
static void solve_lower(const matrix *l, double *x)
{
	for (int i = 0; i < l->rows; i++) {
		double sum = x[i];

		for (int j = 0; j < i; j++)
			sum -= M(l, i, j) * x[j];
		x[i] = sum / M(l, i, i);
	}
}

/* Solve l^T * x = b. */
static void solve_lower_transposed(const matrix *l, double *x)
{
	for (int i = l->rows - 1; i >= 0; i--) {
		for (int j = i + 1; j < l->rows; j++)
			x[i] -= M(l, j, i) * x[j];
		x[i] /= M(l, i, i);
	}
}

/* Solve l * x = b for many right-hand sides, the columns of b. */
static void solve_lower_many(const matrix *l, matrix *b)
{
	for (int c = 0; c < b->cols; c++)
		for (int i = 0; i < l->rows; i++) {
			for (int j = 0; j < i; j++)
				M(b, i, c) -= M(l, i, j) * M(b, j, c);
			M(b, i, c) /= M(l, i, i);
		}
}

/* a = l * l^T, in the lower triangle */
static int cholesky(matrix *a)
{
	int n = a->rows;

	for (int i = 0; i < n; i++) {
		for (int j = 0; j < i; j++) {
			for (int k = 0; k < j; k++)
				M(a, i, j) -= M(a, i, k) * M(a, j, k);
			M(a, i, j) /= M(a, j, j);
		}
		for (int k = 0; k < i; k++)
			M(a, i, i) -= M(a, i, k) * M(a, i, k);
		if (M(a, i, i) <= 0.0)
			return -1;
		M(a, i, i) = sqrt(M(a, i, i));
	}
	return 0;
}

/* a = l * u without pivoting, l with a diagonal of ones */
static void lu(matrix *a)
{
	int n = a->rows;

	for (int k = 0; k < n; k++) {
		for (int i = k + 1; i < n; i++) {
			M(a, i, k) /= M(a, k, k);
			for (int j = k + 1; j < n; j++)
				M(a, i, j) -= M(a, i, k) * M(a, k, j);
		}
	}
}

static float dot(const fvector *x, const fvector *y)
{
	float sum = 0.0f;

	for (size_t i = 0; i < x->n; i++)
		sum += x->v[i] * y->v[i];
	return sum;
}

static void axpy(float a, const fvector *x, fvector *y)
{
	const float *px = x->v;
	float *py = y->v;
	size_t n = x->n;

	while (n-- > 0)
		*py++ += a * *px++;
}

static void scale(fvector *x, float a)
{
	for (size_t i = 0; i < x->n; i++)
		x->v[i] *= a;
}

static double norm2(const double *x, int n)
{
	double sum = 0.0;

	for (int i = 0; i < n; i++)
		sum += x[i] * x[i];
	return sqrt(sum);
}

/* Steps of Jacobi's method for Laplace's equation on a grid whose edge is fixed. */
static void jacobi(double *grid, double *next, int n, int steps)
{
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < n - 1; j++)
				next[i * n + j] = 0.25 * (grid[(i - 1) * n + j] + grid[(i + 1) * n + j] +
							  grid[i * n + j - 1] + grid[i * n + j + 1]);
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < n - 1; j++)
				grid[i * n + j] = next[i * n + j];
	}
}

/* Column means and the covariance of the rows of "data". */
static void covariance(const matrix *data, double *mean, matrix *cov)
{
	int n = data->rows, m = data->cols;

	for (int j = 0; j < m; j++) {
		mean[j] = 0.0;
		for (int i = 0; i < n; i++)
			mean[j] += M(data, i, j);
		mean[j] /= n;
	}
	for (int i = 0; i < m; i++)
		for (int j = i; j < m; j++) {
			double sum = 0.0;

			for (int k = 0; k < n; k++)
				sum += (M(data, k, i) - mean[i]) * (M(data, k, j) - mean[j]);
			M(cov, i, j) = M(cov, j, i) = sum / (n - 1);
		}
}

static void expect(int good, const char *what)
{
	printf("%-30s %s\n", what, good ? "ok" : "FAILED");
	if (!good)
		failures++;
}

/* Element (i, j) of a * b, summed once more. */
static double product_at(const matrix *a, const matrix *b, int i, int j)
{
	double sum = 0.0;

	for (int k = a->cols - 1; k >= 0; k--)
		sum += M(a, i, k) * M(b, k, j);
	return sum;
}

static void products(int repeats)
{
	int m = 240, n = 200, k = 280;
	matrix *a = matrix_new(m, k), *b = matrix_new(k, n), *c = matrix_new(m, n), *s = matrix_new(m, m);
	float *fa = need(malloc(sizeof(float) * m * k)), *fb = need(malloc(sizeof(float) * k * n));
	float *fc = need(malloc(sizeof(float) * m * n));
	double trace = 0.0, worst = 0.0;

	matrix_fill(a, 1);
	matrix_fill(b, 2);
	for (int i = 0; i < m; i++)
		for (int j = 0; j < k; j++)
			fa[i * k + j] = (float)M(a, i, j);
	for (int i = 0; i < k; i++)
		for (int j = 0; j < n; j++)
			fb[i * n + j] = (float)M(b, i, j);
	for (int r = 0; r < repeats; r++) {
		matrix_fill(c, 3);
		gemm(2.0, a, b, 0.0, c);
		syrk(a, s);
		memset(fc, 0, sizeof(float) * m * n);
		sgemm(m, n, k, 2.0f, fa, k, fb, n, fc, n);
	}
	expect(fabs(M(c, 17, 31) - 2.0 * product_at(a, b, 17, 31)) < 1e-12, "gemm");
	for (int i = 0; i < m; i++)
		for (int j = 0; j < n; j++)
			worst = fmax(worst, fabs(fc[i * n + j] - M(c, i, j)));
	expect(worst < 1e-4, "sgemm agrees with gemm");
	for (int i = 0; i < m; i++)
		trace += M(s, i, i);
	printf("%-30s %.6f\n", "trace of a * a^T", trace);
	matrix_free(a);
	matrix_free(b);
	matrix_free(c);
	matrix_free(s);
	free(fa);
	free(fb);
	free(fc);
}

static void factorisations(int repeats)
{
	int n = 260;
	matrix *a = matrix_new(n, n), *spd = matrix_new(n, n), *l = NULL, *f = NULL, *rhs = matrix_new(n, 60), *x = NULL;
	double *b = need(malloc(sizeof(double) * n)), *y = need(malloc(sizeof(double) * n));
	double worst = 0.0, determinant = 0.0;
	int status = 0;

	matrix_fill(a, 4);
	matrix_fill(rhs, 5);
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++) {
			M(spd, i, j) = (M(a, i, j) + M(a, j, i)) / 2;
			if (i == j)
				M(spd, i, j) += n;
		}
	for (int r = 0; r < repeats; r++) {
		if (l)
			matrix_free(l);
		if (f)
			matrix_free(f);
		if (x)
			matrix_free(x);
		l = matrix_copy(spd);
		f = matrix_copy(spd);
		x = matrix_copy(rhs);
		status |= cholesky(l);
		lu(f);
		solve_lower_many(l, x);
		for (int i = 0; i < n; i++)
			b[i] = i % 7 - 3;
		solve_lower(l, b);
		solve_lower_transposed(l, b);
	}
	gemv(spd, b, y);
	for (int i = 0; i < n; i++)
		worst = fmax(worst, fabs(y[i] - (i % 7 - 3)));
	expect(status == 0 && worst < 1e-10, "cholesky solves");
	for (int i = 0; i < n; i++)
		determinant += log(M(f, i, i)) - 2 * log(M(l, i, i));
	expect(fabs(determinant) < 1e-9, "determinants agree");
	worst = 0.0;
	for (int c = 0; c < rhs->cols; c += 7)
		for (int i = 0; i < n; i++) {
			double sum = 0.0;

			for (int j = 0; j <= i; j++)
				sum += M(l, i, j) * M(x, j, c);
			worst = fmax(worst, fabs(sum - M(rhs, i, c)));
		}
	expect(worst < 1e-10, "many right-hand sides");
	printf("%-30s %.6f\n", "norm of the solution", norm2(b, n));
	matrix_free(a);
	matrix_free(spd);
	matrix_free(l);
	matrix_free(f);
	matrix_free(x);
	matrix_free(rhs);
	free(b);
	free(y);
}

static void vectors(int repeats)
{
	fvector x = { need(malloc(sizeof(float) * 40000)), 40000 }, y = { need(malloc(sizeof(float) * 40000)), 40000 };
	matrix *a = matrix_new(700, 600);
	double *u = need(malloc(sizeof(double) * 700)), *v = need(malloc(sizeof(double) * 600)), left, right = 0.0;
	double *w = need(malloc(sizeof(double) * 700));
	float product = 0.0f;

	for (size_t i = 0; i < x.n; i++)
		x.v[i] = (float)(i % 100) / 100.0f;
	matrix_fill(a, 6);
	for (int i = 0; i < 700; i++)
		u[i] = sin(0.1 * i);
	for (int r = 0; r < repeats; r++) {
		for (size_t i = 0; i < y.n; i++)
			y.v[i] = 1.0f;
		for (int i = 0; i < 20; i++) {
			axpy(0.5f, &x, &y);
			scale(&y, 0.9f);
			product = dot(&x, &y);
		}
		gemv_transposed(a, u, v);
		gemv(a, v, w);
		matrix_fill(a, 6);
		rank_one_update(a, 1e-3, w, v);
		matrix_fill(a, 6);
	}
	left = norm2(v, 600) * norm2(v, 600);
	for (int i = 0; i < 700; i++)
		right += u[i] * w[i];
	printf("%-30s %.1f\n", "dot", product / 100.0f);
	expect(fabs(left - right) < 1e-9 * fabs(left), "gemv and its transpose");
	free(x.v);
	free(y.v);
	free(u);
	free(v);
	free(w);
	matrix_free(a);
}

static void grids(int repeats)
{
	int n = 500;
	double *grid = need(malloc(sizeof(double) * n * n)), *next = need(calloc((size_t)n * n, sizeof(double))), sum = 0.0;

	for (int r = 0; r < repeats; r++) {
		for (int i = 0; i < n; i++)
			for (int j = 0; j < n; j++)
				grid[i * n + j] = i == 0 ? 100.0 : 0.0;
		jacobi(grid, next, n, 40);
	}
	for (int i = 0; i < n * n; i++)
		sum += grid[i];
	printf("%-30s %.4f\n", "heat", sum / (n * n));
	expect(grid[n + n / 2] > grid[2 * n + n / 2] && grid[2 * n + n / 2] > grid[3 * n + n / 2], "heat falls off");
	free(grid);
	free(next);
}

static void statistics(int repeats)
{
	matrix *data = matrix_new(400, 120), *cov = matrix_new(120, 120);
	double *mean = need(malloc(sizeof(double) * 120)), total = 0.0;

	matrix_fill(data, 7);
	for (int r = 0; r < repeats; r++)
		covariance(data, mean, cov);
	for (int i = 0; i < 120; i++)
		total += M(cov, i, i);
	printf("%-30s %.4f\n", "mean variance", total / 120);
	expect(fabs(total / 120 - 1.0 / 12.0) < 0.005, "variance of uniform numbers");
	matrix_free(data);
	matrix_free(cov);
	free(mean);
}

int main(int argc, char **argv)
{
	int repeats = argc > 1 ? atoi(argv[1]) : 40;
	static void (*const parts[])(int) = { products, factorisations, vectors, grids, statistics };
	static const char *const names[] = { "products", "factorisations", "vectors", "grids", "statistics" };

	if (repeats < 1)
		repeats = 1;
	for (int i = 0; i < 5; i++) {
		double start = now();

		parts[i](repeats);
		fprintf(stderr, "%s %.3f s\n", names[i], now() - start);
	}
	return failures ? 1 : 0;
}
