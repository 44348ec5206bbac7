void f(int n, float *out, const float *in, float a)
{
	for (int i = 0; i < n; i++)
		out[i] = a * in[i];
}
