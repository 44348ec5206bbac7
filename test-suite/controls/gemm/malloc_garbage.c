/* A buffer from the heap is taken to be zero.
 * fp: reassoc; flags: -O2 -march=native; verdict: different|nondeterministic */
#include <stdlib.h>
void f(int n, int m, int l, float *c, const float *a, const float *b)
{
	float *t = malloc(sizeof(float) * (m > 0 ? m : 1));
	for (int i = 0; i < n; i++) {
		for (int k = 0; k < l; k++)
			for (int j = 0; j < m; j++)
				t[j] += a[i * l + k] * b[k * m + j];
		for (int j = 0; j < m; j++) {
			c[i * m + j] = t[j];
			t[j] = 0;
		}
	}
	free(t);
}
