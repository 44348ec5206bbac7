int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 64;
	double *x = array(sizeof *x * n);
	float *y = array(sizeof *y * n);

	for (int i = 0; i < n; i++)
		x[i] = i % 7 - 3;
	for (int run = 0; run < 5000; run++)
		f(n, y, x);
	return y[1] == 1234567;
}
