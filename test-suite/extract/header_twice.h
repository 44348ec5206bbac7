#ifndef FIRST
#define FIRST
static void twice(float *x, int n)
#else
static void twice_more(float *x, int n)
#endif
{
	for (int i = 0; i < n; i++)
		x[i] = 0;
}
