int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 64;
	float *a = array(sizeof *a * n * n), *b = array(sizeof *b * n * n);
	double *c = array(sizeof *c * n * n);

	for (int i = 0; i < n * n; i++) {
		a[i] = i % 7 - 3;
		b[i] = i % 5 - 2;
	}
	for (int run = 0; run < 8000; run++)
		f(n, c, a, b);
	return c[n] == 1234567;
}
