/* By bits.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
#include <string.h>
void f(int n, float *x)
{
	for (int i = 0; i < n; i++) {
		unsigned u, keep = -(unsigned)(x[i] > 0);
		memcpy(&u, x + i, 4);
		u &= keep;
		memcpy(x + i, &u, 4);
	}
}
