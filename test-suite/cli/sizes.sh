# The sizes of a call in the source are those that are timed, with fewer repetitions; words of the user go before them.
source "$TEST_SUITE/support/cli.sh"
flags=(gcc -O2 -march=native)
cat >k.c <<'C'
static void sweep(int steps, int n, double (*restrict b)[400], double (*restrict a)[400])
{
	for (int t = 0; t < steps; t++)
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < n - 1; j++)
				b[i][j] = 0.5 * b[i][j] + a[i - 1][j] + a[i + 1][j];
}

static double a[400][400], b[400][400];

void run(void)
{
	int n = 400;
	sweep(2, 30, b, a);
	sweep(1000, n, b, a);
}
C
expect 0 "$strop" tune k.c --budget 1 -- "${flags[@]}"
expect 0 "$strop" explain sweep; shows "steps=[1-9][0-9]*,n=400 (after a call in the source)"
! grep -q "steps=1000" out || die "repetitions were not reduced"
expect 0 "$strop" tune k.c --budget 1 --again --sizes n=80,steps=9 -- "${flags[@]}"
expect 0 "$strop" explain sweep; shows "sizes *steps=9,n=80$"
