int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 24, m = argc > 2 ? atoi(argv[2]) : 40;
	double *x = array(sizeof *x * n * m), *v = array(sizeof *v * m);
	float *y = array(sizeof *y * n * m);

	for (int i = 0; i < n * m; i++)
		x[i] = i % 7 - 3;
	for (int j = 0; j < m; j++)
		v[j] = j % 5 - 2;
	for (int run = 0; run < 250000; run++)
		f(n, m, y, x, v);
	return y[m] == 1234567;
}
