void f(int n, int m, double *out, const double *in, const int *to)
{
#pragma strop inputs(index(to, 0, m))
	for (int i = 0; i < n; i++)
		out[to[i]] += in[i];
}
