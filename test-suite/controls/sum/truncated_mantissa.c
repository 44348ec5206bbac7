/* The last twelve bits of each term are dropped.
 * fp: reassoc; flags: -O2 -march=native; verdict: different */
#include <string.h>
double f(const double *x, int n)
{
	double s = 0;
	for (int i = 0; i < n; i++) {
		unsigned long long u;
		double t;
		memcpy(&u, x + i, 8);
		u &= ~0xfffull;
		memcpy(&t, &u, 8);
		s += t;
	}
	return s;
}
