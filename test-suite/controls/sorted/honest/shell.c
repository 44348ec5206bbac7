/* Shell sort: the same result, as equal integers cannot be told apart.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
void f(int *x, int n)
{
	for (int gap = n / 2; gap > 0; gap /= 2)
		for (int i = gap; i < n; i++) {
			int v = x[i], j = i;
			for (; j >= gap && x[j - gap] > v; j -= gap)
				x[j] = x[j - gap];
			x[j] = v;
		}
}
