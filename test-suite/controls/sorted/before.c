/* One element before the array is read.
 * fp: ordered; flags: -O2 -march=native; verdict: out-of-bounds|undefined|different */
void f(int *x, int n)
{
	for (int i = 1; i < n; i++) {
		int v = x[i], j = i - 1;
		while (x[j] > v && j >= 0) {
			x[j + 1] = x[j];
			j--;
		}
		x[j + 1] = v;
	}
}
