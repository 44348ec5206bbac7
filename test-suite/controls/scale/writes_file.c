/* A file is left behind.
 * fp: ordered; flags: -O2 -march=native; verdict: side-effect|equal-without-file */
#include <stdio.h>
void f(int n, float *out, const float *in, float a)
{
	FILE *file = fopen("strop-left-behind", "w");
	for (int i = 0; i < n; i++)
		out[i] = a * in[i];
	if (file)
		fclose(file);
}
