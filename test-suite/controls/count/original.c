void f(int n, int m, int *bin, const int *at)
{
#pragma strop inputs(index(at, 0, m))
	for (int i = 0; i < n; i++)
		bin[at[i]] += 1;
}
