/* As the compiler likes.
 * fp: reassoc; flags: -O3 -march=native; verdict: equal */
#pragma GCC optimize("associative-math,no-signed-zeros,no-trapping-math")
float f(const float *x, const float *y, int n)
{
	float s = 0;
	for (int i = 0; i < n; i++)
		s += x[i] * y[i];
	return s;
}
