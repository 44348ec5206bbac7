/* The compiler may do what it likes, in a mode that keeps the order.
 * fp: ordered; flags: -O3 -march=native; verdict: different */
#pragma GCC optimize("fast-math")
float f(const float *x, const float *y, int n)
{
	float s = 0;
	for (int i = 0; i < n; i++)
		s += x[i] * y[i];
	return s;
}
