void f(int n, int m, float *out, const float *table, const int *at)
{
#pragma strop inputs(index(at, 0, m))
	for (int i = 0; i < n; i++)
		out[i] = table[at[i]] + 1;
}
