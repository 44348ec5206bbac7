/* By the library.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
#include <stdlib.h>
static int compare(const void *a, const void *b)
{
	const int x = *(const int *)a, y = *(const int *)b;
	return (x > y) - (x < y);
}
void f(int *x, int n)
{
	if (n > 1)
		qsort(x, (size_t)n, sizeof(*x), compare);
}
