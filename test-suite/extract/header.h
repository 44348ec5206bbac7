static inline void header_scale(float *x, int n, float s)
{
	for (int i = 0; i < n; i++)
		x[i] *= s;
}
