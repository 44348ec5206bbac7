/* The element stays in a register while indices repeat, where nothing is shared.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
#include <stdint.h>
void f(int n, int m, double *out, const double *in, const int *to)
{
	if ((uintptr_t)out < (uintptr_t)(in + n) && (uintptr_t)in < (uintptr_t)(out + m)) {
		for (int i = 0; i < n; i++)
			out[to[i]] += in[i];
		return;
	}
	for (int i = 0; i < n;) {
		const int at = to[i];
		double s = out[at];
		do
			s += in[i++];
		while (i < n && to[i] == at);
		out[at] = s;
	}
}
