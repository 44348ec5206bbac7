/* Nothing is larger than the largest number there is.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
#include <limits.h>
int f(const int *x, int n)
{
	int most = INT_MIN;
	for (int i = 0; i < n; i++) {
		most = x[i] > most ? x[i] : most;
		if (most == INT_MAX)
			break;
	}
	return most;
}
