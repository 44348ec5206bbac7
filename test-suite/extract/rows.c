#include <math.h>
void blur(unsigned char **restrict out, const unsigned char *const *in, int h, int w)
{
	for (int y = 1; y < h - 1; y++) {
		const unsigned char *up = in[y - 1], *mid = in[y], *down = in[y + 1];
		for (int x = 1; x < w - 1; x++)
			out[y][x] = (up[x] + 2 * mid[x] + down[x] + mid[x - 1] + mid[x + 1]) / 6;
	}
}
struct mat { int n, m; double **v; };
void scale(struct mat *a, double f)
{
	for (int i = 0; i < a->n; i++)
		for (int j = 0; j < a->m; j++)
			a->v[i][j] *= f;
}
double trace(double **a, int n)
{
	double s = 0;
	for (int i = 0; i < n; i++)
		s += a[i][i];
	return s;
}
void lower(double **a, double **b, int n)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j <= i; j++)
			a[i][j] = b[j][i] * 2;
}
void walk(float **a, int n, int m)
{
	for (int i = 0; i < n; i++) {
		float *p = a[i];
		for (int j = 0; j < m; j++)
			*p++ += 1;
	}
}
void bad(float **a, double **b, int n, int m)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < m; j++)
			((double **)a)[i][j] = b[i][j];
}
void bad2(float **a, int *idx, int n, int m)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < m; j++)
			a[idx[i]][j] = 0;
}
void three(float ***a, int n, int m)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < m; j++)
			for (int k = 0; k < m; k++)
			a[i][j][k] = 0;
}
void row_zero(float **a, int n)
{
	for (int i = 0; i < n; i++)
		a[0][i] = a[1][i];
}
void stars(float **a, int n)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			*(*(a + i) + j) = 0;
}
void negative(float **a, int n)
{
	for (int i = 0; i < n; i++)
		for (int j = -1; j < n; j++)
			a[i][j] = 0;
}
void swapped(float **a, int n)
{
	for (int i = 0; i < n; i++)
		a[i] = a[n - 1 - i];
}
void moved(float **a, int n, int m)
{
	for (int i = 0; i < n; i++) {
		float *p = a[i] + 1;
		for (int j = 0; j < m - 1; j++)
			p[j] += p[j - 1];
	}
}
