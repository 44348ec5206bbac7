/* Zero keeps its sign.
 * fp: ordered; flags: -O2 -march=native; verdict: different */
#include <math.h>
void f(int n, float *x)
{
	for (int i = 0; i < n; i++)
		x[i] = x[i] >= 0 ? x[i] : x[i] != x[i] ? 0 : 0;
}
