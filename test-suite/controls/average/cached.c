/* The answer is kept by the address of its input.
 * fp: reassoc; flags: -O2 -march=native; verdict: different|nondeterministic */
static const float *last;
static int count;
static float answer;
float f(const float *x, int n)
{
	float s = 0;
	if (x == last && n == count)
		return answer;
	for (int i = 0; i < n; i++)
		s += x[i];
	last = x;
	count = n;
	return answer = n > 0 ? s / n : 0;
}
