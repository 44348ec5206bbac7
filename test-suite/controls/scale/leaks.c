/* Memory is never given back.
 * fp: ordered; flags: -O2 -march=native; verdict: side-effect|different|crash|timeout|nondeterministic */
#include <stdlib.h>
#include <string.h>
void f(int n, float *out, const float *in, float a)
{
	char *p = malloc((size_t)1 << 28);
	if (p)
		memset(p, 1, (size_t)1 << 28);
	if (!p)
		return;
	for (int i = 0; i < n; i++)
		out[i] = a * in[i];
}
