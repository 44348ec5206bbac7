#include "verifier_support.h"

static const char gemm_source[] =
	"#include <stdlib.h>\n"
	"#define SCALE(x) (alpha * (x))\n"
	"extern void elsewhere(void);\n"
	"void f(float *C, const float *A, const float *B, int n, int m, int k, float alpha)\n"
	"{\n"
	"	int i, j, l;\n"
	"	elsewhere();\n"
	"	/* BEGIN */\n"
	"	for (i = 0; i < n; i++)\n"
	"		for (j = 0; j < m; j++)\n"
	"			for (l = 0; l < k; l++)\n"
	"				C[i * m + j] += SCALE(A[i * k + l]) * B[l * m + j];\n"
	"	/* END */\n"
	"}\n"
	"int main(void) { return 0; }\n";

static const struct given gemm = {
	.source = gemm_source,
	.nest = "region gemm(f32 C[n,m], f32 A[n,k] in, f32 B[k,m] in; i32 n, m, k; f32 alpha)\n"
		"for i in 0..n\n"
		"  for j in 0..m\n"
		"    for l in 0..k\n"
		"      S0: C[i,j] += alpha * A[i,l] * B[l,j]\n",
	.local = { { "C", "float *C", NULL, true }, { "A", "const float *A", NULL, true },
		   { "B", "const float *B", NULL, true }, { "n", "int n", NULL, false }, { "m", "int m", NULL, false },
		   { "k", "int k", NULL, false }, { "alpha", "float alpha", NULL, false }, { "i", "int i", NULL, false },
		   { "j", "int j", NULL, false }, { "l", "int l", NULL, false } },
	.flag = { "-O2" },
};

#define GUARD "if ((C + n * m <= A || A + n * k <= C) && (C + n * m <= B || B + k * m <= C)) {\n"
#define ELSE "} else {\n"                                                                              \
	"for (i = 0; i < n; i++) for (j = 0; j < m; j++) for (l = 0; l < k; l++)\n"                    \
	"	C[i * m + j] += SCALE(A[i * k + l]) * B[l * m + j];\n}\n"

static void gemm_right_variants_are_equal(void **state)
{
	struct opened *opened = open_given(&gemm);

	(void)state;
	expect_admitted(opened);
	expect_verdict(opened, "",
		       GUARD "for (i = 0; i < n; i++) for (l = 0; l < k; l++) for (j = 0; j < m; j++)\n"
			     "	C[i * m + j] += SCALE(A[i * k + l]) * B[l * m + j];\n" ELSE,
		       true, VERDICT_EQUAL);
	assert_non_null(judge_last(opened->judge));
	expect_verdict(opened, "static float product(float a, float b, float c) { return a * b * c; }\n",
		       "for (i = 0; i < n; i++) for (j = 0; j < m; j++) for (l = 0; l < k; l++)\n"
		       "	C[i * m + j] += product(alpha, A[i * k + l], B[l * m + j]);\n",
		       false, VERDICT_EQUAL);
	close_given(opened);
}

static void gemm_wrong_variants_are_caught(void **state)
{
	struct opened *opened = open_given(&gemm);

	(void)state;
	expect_admitted(opened);
	expect_verdict(opened, "", "for (i = 0; i < n; i++) for (j = 0; j < m; j++) C[i * m + j] = 0;", false,
		       VERDICT_DIFFERENT);
	assert_null(judge_last(opened->judge));
	expect_verdict(opened, "", ";", false, VERDICT_DIFFERENT);
	expect_verdict(opened, "",
		       "for (i = 0; i < n; i++) for (j = 0; j < m; j++) for (l = 1; l < k; l++)\n"
		       "	C[i * m + j] += SCALE(A[i * k + l]) * B[l * m + j];\n",
		       false, VERDICT_DIFFERENT);
	expect_verdict(opened, "",
		       "for (i = 0; i < n; i++) for (l = 0; l < k; l++) for (j = 0; j < m; j++)\n"
		       "	C[i * m + j] += SCALE(A[i * k + l]) * B[l * m + j];\n",
		       true, VERDICT_DIFFERENT);
	expect_verdict(opened, "", "C[n * m] = 0;", false, VERDICT_OUT_OF_BOUNDS);
	expect_verdict(opened, "", "C[-1] = 1;", false, VERDICT_OUT_OF_BOUNDS);
	expect_verdict(opened, "", "((float *)A)[0] = 1;", false, VERDICT_INPUT_CHANGED);
	expect_verdict(opened, "", "this is no C;", false, VERDICT_NO_COMPILE);
	close_given(opened);
}

/* Ways in which rewrites have been wrong or have cheated, each of which one of the quick trials must notice. */
static const struct control {
	const char *helpers, *body;
} controls[] = {
	{ "", "for (i = 0; i < n; i++) for (j = 0; j < m; j++) for (l = 0; l + 4 <= k; l++)\n"
	      "	C[i * m + j] += SCALE(A[i * k + l]) * B[l * m + j];" },
	{ "", "for (i = 0; i + 4 <= n; i += 4) for (j = 0; j < m; j++) for (l = 0; l < k; l++) for (int u = 0; u < 4; u++)\n"
	      "	C[(i + u) * m + j] += SCALE(A[(i + u) * k + l]) * B[l * m + j];" },
	{ "", "for (i = 0; i < n; i++) for (j = 0; j < m; j++) for (l = 0; l < k; l++)\n"
	      "	C[i * m + j] += A[i * k + l] * B[l * m + j];" },
	{ "", "for (i = 0; i < n; i++) for (j = 0; j < m; j++) for (l = 0; l < k; l++)\n"
	      "	C[i * m + j] += SCALE(A[i * k + l]) * B[j * k + l];" },
	{ "", "if (n > 1) for (i = 0; i < n; i++) for (j = 0; j < m; j++) for (l = 0; l < k; l++)\n"
	      "	C[i * m + j] += SCALE(A[i * k + l]) * B[l * m + j];" },
	{ "", "for (i = 0; i < n; i++) for (j = 0; j < m; j++) { double s = C[i * m + j];\n"
	      "	for (l = 0; l < k; l++) s += (double)SCALE(A[i * k + l]) * B[l * m + j];\n"
	      "	C[i * m + j] = s; }" },
	{ "", "for (i = 0; i < n; i++) for (j = 0; j < m; j++) { if (C[i * m + j] == 0) continue;\n"
	      "	for (l = 0; l < k; l++) C[i * m + j] += SCALE(A[i * k + l]) * B[l * m + j]; }" },
	{ "static float kept[1 << 20]; static int n0, m0, k0;\n",
	  "if (n == n0 && m == m0 && k == k0) { for (i = 0; i < n * m; i++) C[i] = kept[i]; } else {\n"
	  "	for (i = 0; i < n; i++) for (j = 0; j < m; j++) for (l = 0; l < k; l++)\n"
	  "		C[i * m + j] += SCALE(A[i * k + l]) * B[l * m + j];\n"
	  "	for (i = 0; i < n * m; i++) kept[i] = C[i];\n"
	  "	n0 = n; m0 = m; k0 = k; }" },
};

static void controls_are_rejected(void **state)
{
	struct opened *opened = open_given(&gemm);
	struct verdict verdict;

	(void)state;
	expect_admitted(opened);
	for (size_t c = 0; c < sizeof(controls) / sizeof(controls[0]); c++) {
		assert_int_equal(judge_candidate(opened->judge, controls[c].helpers, controls[c].body, false, &verdict,
						 &opened->diag),
				 STATUS_OK);
		if (verdict.kind != VERDICT_DIFFERENT && verdict.kind != VERDICT_OUT_OF_BOUNDS)
			fail_msg("%s: %s\n%s", verdict_name(verdict.kind), verdict.witness, controls[c].body);
	}
	close_given(opened);
}

/* Where the tests are built with sanitizers, the runner's own looks for leaks at its end, by a call that is forbidden. */
#ifdef __SANITIZE_ADDRESS__
static const enum verdict_kind exit_verdict = VERDICT_SIDE_EFFECT;
#else
static const enum verdict_kind exit_verdict = VERDICT_CRASH;
#endif

static void hostile_variants_are_data(void **state)
{
	struct opened *opened = open_given(&gemm);

	(void)state;
	expect_admitted(opened);
	expect_verdict(opened, "", "for (;;) __asm__ volatile(\"\");", false, VERDICT_TIMEOUT);
	expect_verdict(opened, "", "*(volatile int *)8 = 1;", false, VERDICT_CRASH);
	expect_verdict(opened, "", "exit(0);", false, exit_verdict);
	expect_verdict(opened, "", "abort();", false, VERDICT_CRASH);
	expect_verdict(opened, "#include <unistd.h>\n", "fork();", false, VERDICT_SIDE_EFFECT);
	expect_verdict(opened, "#include <unistd.h>\n", "for (i = 3; i < 100; i++) close(i);", false, VERDICT_CRASH);
	expect_verdict(opened, "#include <fcntl.h>\n", "open(\"/tmp/strop-left-behind\", O_CREAT | O_WRONLY, 0600);", false,
		       VERDICT_SIDE_EFFECT);
	expect_verdict(opened, "#include <fcntl.h>\n", "if (open(\"/dev/null\", O_RDONLY) >= 0) abort();", false,
		       VERDICT_DIFFERENT);
	expect_verdict(opened, "#include <unistd.h>\n", "dup(1);", false, VERDICT_SIDE_EFFECT);
	expect_verdict(opened, "#include <unistd.h>\n", "chdir(\"/\");", false, VERDICT_SIDE_EFFECT);
	expect_verdict(opened, "#include <unistd.h>\n", "alarm(100);", false, VERDICT_SIDE_EFFECT);
	expect_verdict(opened, "#include <stdlib.h>\n", "setenv(\"STROP_TEST\", \"1\", 1);", false, VERDICT_SIDE_EFFECT);
	expect_verdict(opened, "#include <signal.h>\n", "signal(SIGUSR1, SIG_IGN);", false, VERDICT_SIDE_EFFECT);
	expect_verdict(opened, "#include <fenv.h>\n", "fesetround(FE_UPWARD);", false, VERDICT_SIDE_EFFECT);
	expect_verdict(opened, "", "elsewhere();", false, VERDICT_CRASH);
	expect_verdict(opened,
		       "#include <pthread.h>\n#include <unistd.h>\n"
		       "static void *linger(void *x) { sleep(60); return x; }\n",
		       "pthread_t t; pthread_create(&t, 0, linger, 0);", false, VERDICT_SIDE_EFFECT);
	expect_verdict(opened, "#include <sys/socket.h>\n", "socket(AF_INET, SOCK_STREAM, 0);", false, VERDICT_SIDE_EFFECT);
	expect_verdict(opened, "#include <stdio.h>\n",
		       "puts(\"equal\");\n"
		       "for (i = 0; i < n; i++) for (j = 0; j < m; j++) for (l = 0; l < k; l++)\n"
		       "	C[i * m + j] += SCALE(A[i * k + l]) * B[l * m + j];\n",
		       false, VERDICT_EQUAL);
	close_given(opened);
}

static void programs_can_be_timed(void **state)
{
	struct opened *opened = open_given(&gemm);
	const struct size *size;
	const struct program *twin;
	struct runner *runner;
	struct timing timing;
	bool is_chosen;

	(void)state;
	expect_admitted(opened);
	assert_int_equal(judge_sizes(opened->judge, &size, &is_chosen), 3);
	assert_true(is_chosen);
	twin = judge_twin(opened->judge, 1, &opened->diag);
	assert_non_null(twin);
	runner = runner_start(opened->judge, judge_original(opened->judge), 7, &opened->diag);
	assert_non_null(runner);
	for (int cold = 0; cold < 2; cold++) {
		assert_true(runner_time(runner, 3, cold, &timing));
		assert_true(timing.seconds > 0);
		assert_true(timing.wall >= 3 * timing.seconds);
		assert_true(timing.cpu >= 3 * timing.seconds);
		if (getenv("STROP_TEST_VERBOSE"))
			printf("    %s=%d: %g s\n", size[0].name, (int)size[0].value, timing.seconds);
	}
	runner_stop(runner);
	close_given(opened);
}

/* Layouts are other files that do the same; the zeroth is the program itself, and each is built once. */
static void programs_have_layouts(void **state)
{
	struct opened *opened = open_given(&gemm);
	const struct program *original, *layout;
	struct runner *runner;
	struct timing timing;

	(void)state;
	expect_admitted(opened);
	original = judge_original(opened->judge);
	assert_ptr_equal(judge_layout(opened->judge, original, 0, &opened->diag), original);
	layout = judge_layout(opened->judge, original, JUDGE_LAYOUTS - 1, &opened->diag);
	assert_non_null(layout);
	assert_ptr_not_equal(layout, original);
	assert_ptr_equal(judge_layout(opened->judge, original, JUDGE_LAYOUTS - 1, &opened->diag), layout);
	runner = runner_start(opened->judge, layout, 5, &opened->diag);
	assert_non_null(runner);
	assert_true(runner_time(runner, 2, false, &timing));
	runner_stop(runner);
	close_given(opened);
}

/* Wrong only at sizes that no trial of the quick kind reaches. */
static void timed_runs_are_checked(void **state)
{
	static const struct size sizes[] = { { "n", 300 }, { "m", 300 }, { "k", 300 } };
	struct given given = gemm;
	struct opened *opened;
	struct runner *runner;
	struct timing timing;

	(void)state;
	given.size = sizes;
	given.n_size = 3;
	opened = open_given(&given);
	expect_admitted(opened);
	expect_verdict(opened, "",
		       "for (i = 0; i < n - (n == 300); i++) for (j = 0; j < m; j++) for (l = 0; l < k; l++)\n"
		       "	C[i * m + j] += SCALE(A[i * k + l]) * B[l * m + j];\n",
		       false, VERDICT_EQUAL);
	runner = runner_start(opened->judge, judge_last(opened->judge), 3, &opened->diag);
	assert_non_null(runner);
	assert_false(runner_time(runner, 2, false, &timing));
	runner_stop(runner);
	runner = runner_start(opened->judge, judge_original(opened->judge), 3, &opened->diag);
	assert_non_null(runner);
	assert_true(runner_time(runner, 2, false, &timing));
	runner_stop(runner);
	close_given(opened);
}

/* A recurrence that doubles any error each round: contraction changes all digits after fifty. */
static const struct given logistic = {
	.source = "void f(int n, int k, const double *restrict x, double *restrict y)\n"
		  "{\n"
		  "	/* BEGIN */\n"
		  "	for (int i = 0; i < n; i++) {\n"
		  "		double v = 0.25 + 0.5 * (x[i] * x[i]) / (1.0 + x[i] * x[i]);\n"
		  "		for (int j = 0; j < k; j++) {\n"
		  "			double t = 3.9 * v;\n"
		  "			v = t - t * v;\n"
		  "		}\n"
		  "		y[i] = v;\n"
		  "	}\n"
		  "	/* END */\n"
		  "}\n",
	.nest = "region f(f64 x[n] in, f64 y[n] out; i32 n, k)\n"
		"  where x: const\n"
		"for i in 0..n\n"
		"  S0: let v: f64 = 0.25 + 0.5 * (x[i] * x[i]) / (1.0 + x[i] * x[i])\n"
		"  for j in 0..k\n"
		"    S1: let t: f64 = 3.9 * v\n"
		"    S2: v = t - t * v\n"
		"  S3: y[i] = v\n",
	.local = { { "n", "int n", NULL, false }, { "k", "int k", NULL, false },
		   { "x", "const double *restrict x", NULL, true }, { "y", "double *restrict y", NULL, true } },
	.flag = { "-O2", "-march=native" },
};

static void contraction_may_do_what_it_does_to_the_original(void **state)
{
	static const struct size sizes[] = { { "n", 2000 }, { "k", 400 } };
	struct given given = logistic;
	struct opened *opened;
	struct runner *runner;
	struct timing timing;

	(void)state;
	given.size = sizes;
	given.n_size = 2;
	opened = open_given(&given);
	expect_admitted(opened);
	expect_verdict(opened, "",
		       "for (int i = 0; i < n; i++) {\n"
		       "	double v = 0.25 + 0.5 * (x[i] * x[i]) / (1.0 + x[i] * x[i]);\n"
		       "	for (int j = 0; j < k; j++) {\n"
		       "		double t = 3.9 * v, u = t * v;\n"
		       "		__asm__(\"\" : \"+m\"(u));\n"
		       "		v = t - u;\n"
		       "	}\n"
		       "	y[i] = v;\n"
		       "}\n",
		       true, VERDICT_EQUAL);
	runner = runner_start(opened->judge, judge_last(opened->judge), 3, &opened->diag);
	assert_non_null(runner);
	assert_true(runner_time(runner, 2, false, &timing));
	runner_stop(runner);
	expect_verdict(opened, "",
		       "for (int i = 0; i < n; i++) {\n"
		       "	double v = 0.25 + 0.5 * (x[i] * x[i]) / (1.0 + x[i] * x[i]);\n"
		       "	for (int j = 0; j < k; j++)\n"
		       "		v = 3.9 * v * (1.0 - v);\n"
		       "	y[i] = v;\n"
		       "}\n",
		       true, VERDICT_DIFFERENT);
	close_given(opened);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(gemm_right_variants_are_equal),
	cmocka_unit_test(gemm_wrong_variants_are_caught),
	cmocka_unit_test(controls_are_rejected),
	cmocka_unit_test(hostile_variants_are_data),
	cmocka_unit_test(programs_can_be_timed),
	cmocka_unit_test(programs_have_layouts),
	cmocka_unit_test(timed_runs_are_checked),
	cmocka_unit_test(contraction_may_do_what_it_does_to_the_original),
};
RUN_TESTS(tests)
