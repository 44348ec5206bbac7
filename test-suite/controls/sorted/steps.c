/* At most forty steps back.
 * fp: ordered; flags: -O2 -march=native; verdict: different */
void f(int *x, int n)
{
	for (int i = 1; i < n; i++) {
		int v = x[i], j = i - 1;
		while (j >= 0 && i - j < 40 && x[j] > v) {
			x[j + 1] = x[j];
			j--;
		}
		x[j + 1] = v;
	}
}
