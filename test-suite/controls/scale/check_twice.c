/* Who comes first makes the factor ready, and the others look at a flag that promises nothing.
 * fp: ordered; flags: -O2 -fopenmp; verdict: different|nondeterministic|undefined */
void f(int n, float *out, const float *in, float a)
{
	int ready = 0;
	float by;
	if (out < in + n && in < out + n) {
		for (int i = 0; i < n; i++)
			out[i] = a * in[i];
		return;
	}
#pragma omp parallel for schedule(dynamic, 7)
	for (int i = 0; i < n; i++) {
		if (!ready) {
#pragma omp critical
			if (!ready) {
				by = a;
				ready = 1;
			}
		}
		out[i] = by * in[i];
	}
}
