/* What the source says about itself. */
void off(float *x, int n)
{
#pragma strop off
	for (int i = 0; i < n; i++)
		x[i] = 0;
	// strop: off
	for (int i = 0; i < n; i++)
		x[i] = 1;
	for (int i = 0; i < n; i++)
		x[i] = 2;
}

void sized(float *x, const int *index, int n, int m)
{
#pragma strop sizes(n=1024, m=8) fp(reassoc) inputs(index(index, 0, m), nonzero(x))
	for (int i = 0; i < n; i++)
		x[i] = x[i] / x[index[i]] + m;
}

void parallel(float *x, int n)
{
	#pragma omp parallel for
	for (int i = 0; i < n; i++)
		x[i] = 0;
	#pragma omp simd
	for (int i = 0; i < n; i++)
		x[i] += 1;
}
