/* Positive inputs stay as they are.
 * fp: ordered; flags: -O2 -march=native; verdict: different */
void f(int n, float *x)
{
	(void)n;
	(void)x;
}
