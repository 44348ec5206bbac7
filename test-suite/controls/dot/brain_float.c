/* Operands lose sixteen bits, as on matrix units.
 * fp: reassoc; flags: -O2 -march=native; verdict: different */
#include <string.h>
static float cut(float x)
{
	unsigned u;
	memcpy(&u, &x, 4);
	u &= 0xffff0000u;
	memcpy(&x, &u, 4);
	return x;
}
float f(const float *x, const float *y, int n)
{
	float s = 0;
	for (int i = 0; i < n; i++)
		s += cut(x[i]) * cut(y[i]);
	return s;
}
