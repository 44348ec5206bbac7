/* A temporary is shared by all threads, and the compiler happens to keep each one's value in a register.
 * fp: ordered; flags: -O2 -fopenmp; verdict: different|nondeterministic|undefined */
void f(int n, float *out, const float *in, float a)
{
	float t;
	if (out < in + n && in < out + n) {
		for (int i = 0; i < n; i++)
			out[i] = a * in[i];
		return;
	}
#pragma omp parallel for
	for (int i = 0; i < n; i++) {
		t = a * in[i];
		out[i] = t;
	}
}
