/* Who comes first makes the factor ready, and so may others who looked before it was.
 * fp: ordered; flags: -O2 -fopenmp; verdict: undefined */
void f(int n, float *out, const float *in, float a)
{
	int ready = 0;
	float by;
	if (out < in + n && in < out + n) {
		for (int i = 0; i < n; i++)
			out[i] = a * in[i];
		return;
	}
#pragma omp parallel for schedule(nonmonotonic : dynamic, 7)
	for (unsigned long long i = 0; i < (unsigned long long)(n > 0 ? n : 0); i++) {
		if (!__atomic_load_n(&ready, __ATOMIC_ACQUIRE)) {
			if (!__atomic_load_n(&ready, __ATOMIC_RELAXED)) {
				by = a;
				__atomic_store_n(&ready, 1, __ATOMIC_RELEASE);
			}
		}
		out[i] = by * in[i];
	}
}
