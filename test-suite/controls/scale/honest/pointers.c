/* Walking pointers.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
void f(int n, float *out, const float *in, float a)
{
	for (const float *end = in + (n > 0 ? n : 0); in != end;)
		*out++ = a * *in++;
}
