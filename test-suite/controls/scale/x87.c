/* The control word of the old unit is left changed.
 * fp: ordered; flags: -O2 -march=native; verdict: side-effect */
void f(int n, float *out, const float *in, float a)
{
	unsigned short w = 0x027f;
	for (int i = 0; i < n; i++)
		out[i] = a * in[i];
	__asm__ volatile("fldcw %0" : : "m"(w));
}
