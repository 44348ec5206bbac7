/* Pairs copied in and out.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
#include <string.h>
struct number {
	float re, im;
};
static struct number multiply(struct number a, struct number b)
{
	return (struct number){ a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re };
}
void f(int n, float *out, const float *a, const float *b)
{
	for (int i = 0; i < n; i++) {
		struct number x, y;
		memcpy(&x, a + 2 * i, sizeof(x));
		memcpy(&y, b + 2 * i, sizeof(y));
		x = multiply(x, y);
		memcpy(out + 2 * i, &x, sizeof(x));
	}
}
