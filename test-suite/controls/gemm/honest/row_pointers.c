/* Row pointers.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
void f(int n, int m, int l, float *c, const float *a, const float *b)
{
	for (int i = 0; i < n; i++) {
		const float *row = a + i * l;
		float *to = c + i * m;
		for (int j = 0; j < m; j++) {
			const float *column = b + j;
			float s = 0;
			for (int k = 0; k < l; k++, column += m)
				s += row[k] * *column;
			to[j] = s;
		}
	}
}
