/* Exponentials in double.
 * fp: reassoc; flags: -O2 -march=native; verdict: equal */
#include <math.h>
void f(int rows, int n, float *out, const float *in)
{
	for (int r = 0; r < rows; r++) {
		float most = in[r * n], s = 0;
		for (int i = 1; i < n; i++)
			most = in[r * n + i] > most ? in[r * n + i] : most;
		for (int i = 0; i < n; i++) {
			out[r * n + i] = (float)exp((double)(in[r * n + i] - most));
			s += out[r * n + i];
		}
		for (int i = 0; i < n; i++)
			out[r * n + i] /= s;
	}
}
