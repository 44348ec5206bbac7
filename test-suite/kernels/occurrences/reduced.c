/* Threads that count for themselves.
 * fp: ordered; flags: -O2 -march=native -fopenmp; verdict: equal */
int f(const unsigned char *text, int n, unsigned char byte)
{
	int count = 0;
#pragma omp parallel for reduction(+ : count) num_threads(2)
	for (int i = 0; i < n; i++)
		count += text[i] == byte;
	return count;
}
