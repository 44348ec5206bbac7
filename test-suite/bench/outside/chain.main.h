int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 64;
	double *x = malloc(sizeof *x * n);
	float *y = malloc(sizeof *y * n);

	for (int i = 0; i < n; i++)
		x[i] = i % 7 - 3;
	for (int run = 0; run < 18000; run++)
		f(n, y, x);
	return y[1] == 1234567;
}
