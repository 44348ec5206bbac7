/* A region that lives in a header belongs to the header. */
#include "header.h"
#include "header_twice.h"
#include "header_twice.h"

void both(float *x, int n)
{
	for (int i = 0; i < n; i++)
		x[i] += 1;
	header_scale(x, n, 2);
}
