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

#define M(a, i, j) ((a)->data[(i) * (a)->ld + (j)])

/* All that the program works on. */
struct problem {
	matrix *a, *b, *c;          /* c = a * b */
	matrix *gram;               /* a * a^T */
	float *fa, *fb, *fc;        /* the same in single precision, without padding */
	matrix *spd, *l, *lu;       /* a positive definite matrix (its lower triangle) and factors */
	matrix *rhs, *x;            /* l * x = rhs */
	matrix *sample, *cov;       /* a row of "sample" is an observation */
	matrix *centres, *distance; /* from each row of "sample" to each of "centres" */
	double *mean, *u, *v, *w;
	int status;
};

static int failures;
static unsigned seed = 1;

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec * 1e-9;
}

static void *need(size_t count, size_t size)
{
	void *memory = calloc(count, size);

	if (!memory) {
		perror("linalg");
		exit(2);
	}
	return memory;
}

static matrix *matrix_new(int rows, int cols)
{
	matrix *a = need(1, sizeof(*a));

	a->rows = rows;
	a->cols = cols;
	a->ld = cols + 3;
	a->data = need((size_t)rows * a->ld, sizeof(double));
	return a;
}

static void matrix_free(matrix *a)
{
	free(a->data);
	free(a);
}

/* Make "a" a copy of "b", which has the same shape. */
static void matrix_copy(matrix *a, const matrix *b)
{
	memcpy(a->data, b->data, sizeof(double) * b->rows * b->ld);
}

static double random_number(void)
{
	seed = seed * 69069u + 1u;
	return (double)(seed >> 8) / (1 << 24) - 0.5;
}

/* A matrix of random numbers with "diagonal" added on its diagonal. */
static matrix *matrix_random(int rows, int cols, double diagonal)
{
	matrix *a = matrix_new(rows, cols);

	for (int i = 0; i < rows; i++)
		for (int j = 0; j < cols; j++)
			M(a, i, j) = random_number() + (i == j ? diagonal : 0.0);
	return a;
}

static float *narrow(const matrix *a)
{
	float *f = need((size_t)a->rows * a->cols, sizeof(float));

	for (int i = 0; i < a->rows; i++)
		for (int j = 0; j < a->cols; j++)
			f[i * a->cols + j] = (float)M(a, i, j);
	return f;
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

/* a += alpha * x * y^T */
static void rank_one_update(matrix *a, double alpha, const double *x, const double *y)
{
	for (int j = 0; j < a->cols; j++)
		for (int i = 0; i < a->rows; i++)
			M(a, i, j) += alpha * x[i] * y[j];
}

/* Solve l * x = b for many right-hand sides, the columns of b, in place. */
static void solve_lower(const matrix *l, matrix *b)
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
static void lu_factor(matrix *a)
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

/* Squared distances between each of "points" and each of "centres", both rows of coordinates. */
static void distances(const matrix *points, const matrix *centres, matrix *out)
{
	for (int p = 0; p < points->rows; p++) {
		const double *x = points->data + p * points->ld;

		for (int c = 0; c < centres->rows; c++) {
			const double *y = centres->data + c * centres->ld;
			double sum = 0.0;

			for (int k = 0; k < points->cols; k++) {
				double d = x[k] - y[k];

				sum += d * d;
			}
			M(out, p, c) = sum;
		}
	}
}

/* The sum of x[i * dx] * y[i * dy]. */
static double dot(int n, const double *x, int dx, const double *y, int dy)
{
	double sum = 0.0;

	for (int i = 0; i < n; i++)
		sum += x[i * dx] * y[i * dy];
	return sum;
}

static void problem_init(struct problem *p)
{
	int m = 240, n = 200, k = 280, order = 300, variables = 120, centres = 160;

	p->a = matrix_random(m, k, 0.0);
	p->b = matrix_random(k, n, 0.0);
	p->c = matrix_new(m, n);
	p->gram = matrix_new(m, m);
	p->fa = narrow(p->a);
	p->fb = narrow(p->b);
	p->fc = need((size_t)m * n, sizeof(float));
	p->spd = matrix_random(order, order, order);
	p->l = matrix_new(order, order);
	p->lu = matrix_new(order, order);
	p->rhs = matrix_random(order, 120, 0.0);
	p->x = matrix_new(order, 120);
	p->sample = matrix_random(400, variables, 0.0);
	p->cov = matrix_new(variables, variables);
	p->centres = matrix_random(centres, variables, 0.0);
	p->distance = matrix_new(400, centres);
	p->mean = need(variables, sizeof(double));
	p->u = need(m, sizeof(double));
	p->v = need(n, sizeof(double));
	p->w = need(m, sizeof(double));
	p->status = 0;
}

static void problem_free(struct problem *p)
{
	matrix_free(p->a);
	matrix_free(p->b);
	matrix_free(p->c);
	matrix_free(p->gram);
	matrix_free(p->spd);
	matrix_free(p->l);
	matrix_free(p->lu);
	matrix_free(p->rhs);
	matrix_free(p->x);
	matrix_free(p->sample);
	matrix_free(p->cov);
	matrix_free(p->centres);
	matrix_free(p->distance);
	free(p->fa);
	free(p->fb);
	free(p->fc);
	free(p->mean);
	free(p->u);
	free(p->v);
	free(p->w);
}

static void multiply(struct problem *p)
{
	int m = p->c->rows, n = p->c->cols, k = p->a->cols;

	gemm(2.0, p->a, p->b, 0.0, p->c);
	syrk(p->a, p->gram);
	memset(p->fc, 0, sizeof(float) * m * n);
	sgemm(m, n, k, 2.0f, p->fa, k, p->fb, n, p->fc, n);
}

static void factor(struct problem *p)
{
	matrix_copy(p->l, p->spd);
	p->status |= cholesky(p->l);
	matrix_copy(p->lu, p->spd);
	lu_factor(p->lu);
	matrix_copy(p->x, p->rhs);
	solve_lower(p->l, p->x);
}

/* Deflate "c" step by step: take out a part of what the last direction explains. */
static void iterate(struct problem *p)
{
	memcpy(p->u, p->a->data, sizeof(double) * p->c->rows);
	for (int step = 0; step < 120; step++) {
		double length;

		gemv_transposed(p->c, p->u, p->v);
		gemv(p->c, p->v, p->w);
		length = dot(p->c->cols, p->v, 1, p->v, 1);
		rank_one_update(p->c, -0.1 / length, p->w, p->v);
	}
}

static void statistics(struct problem *p)
{
	covariance(p->sample, p->mean, p->cov);
	distances(p->sample, p->centres, p->distance);
}

static void expect(int good, const char *what)
{
	printf("%-30s %s\n", what, good ? "ok" : "FAILED");
	if (!good)
		failures++;
}

static double error(double got, double wanted)
{
	return fabs(got - wanted) / (1.0 + fabs(wanted));
}

static void check_products(const struct problem *p)
{
	const matrix *a = p->a, *b = p->b;
	double c = 2.0 * dot(a->cols, &M(a, 17, 0), 1, &M(b, 0, 31), b->ld);

	expect(error(p->fc[17 * b->cols + 31], c) < 1e-4, "sgemm");
	expect(error(M(p->gram, 31, 17), dot(a->cols, &M(a, 31, 0), 1, &M(a, 17, 0), 1)) < 1e-12, "syrk");
	printf("%-30s %.6f\n", "trace of a * a^T", dot(a->rows * a->ld, a->data, 1, a->data, 1));
}

static void check_factors(const struct problem *p)
{
	const matrix *l = p->l, *lu = p->lu, *x = p->x;
	double product = dot(101, &M(l, 200, 0), 1, &M(l, 100, 0), 1);

	expect(p->status == 0 && error(product, M(p->spd, 200, 100)) < 1e-10, "l * l^T");
	product = dot(100, &M(lu, 200, 0), 1, &M(lu, 0, 100), lu->ld) + M(lu, 200, 100) * M(lu, 100, 100);
	expect(error(product, M(p->spd, 200, 100)) < 1e-10, "l * u");
	expect(error(dot(201, &M(l, 200, 0), 1, &M(x, 0, 7), x->ld), M(p->rhs, 200, 7)) < 1e-10, "l * x");
}

static void check_iteration(const struct problem *p)
{
	double left = dot(p->c->rows, p->u, 1, p->w, 1), right = dot(p->c->cols, p->v, 1, p->v, 1);

	expect(error(left / right, 1.0) < 1e-9, "gemv and its transpose");
}

static void check_statistics(const struct problem *p)
{
	const double *x = &M(p->sample, 30, 0), *y = &M(p->centres, 20, 0);
	int n = p->sample->cols;
	double distance = dot(n, x, 1, x, 1) + dot(n, y, 1, y, 1) - 2.0 * dot(n, x, 1, y, 1);
	double variance = M(p->cov, 30, 30);

	expect(error(M(p->distance, 30, 20), distance) < 1e-12, "distance");
	expect(fabs(variance - 1.0 / 12.0) < 0.02, "variance of uniform numbers");
	printf("%-30s %.6f\n", "variance", variance);
}

int main(int argc, char **argv)
{
	int repeats = argc > 1 ? atoi(argv[1]) : 20;
	double start = now();
	struct problem p;

	if (repeats < 1)
		repeats = 1;
	problem_init(&p);
	for (int r = 0; r < repeats; r++) {
		multiply(&p);
		factor(&p);
		iterate(&p);
		statistics(&p);
	}
	fprintf(stderr, "%.3f s\n", now() - start);
	check_products(&p);
	check_factors(&p);
	check_iteration(&p);
	check_statistics(&p);
	problem_free(&p);
	return failures ? 1 : 0;
}
