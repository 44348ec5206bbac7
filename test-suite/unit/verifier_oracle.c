#include "verifier_support.h"

#define DOT_SOURCE(T)                                          \
	"#include <math.h>\n"                                  \
	T " f(const " T " *x, const " T " *y, int n)\n"        \
	"{\n"                                                  \
	"	" T " s = 0;\n"                                \
	"	/* BEGIN */\n"                                 \
	"	for (int i = 0; i < n; i++)\n"                 \
	"		s += x[i] * y[i];\n"                   \
	"	/* END */\n"                                   \
	"	return s;\n"                                   \
	"}\n"
#define DOT_LOCALS(T)                                                                              \
	{ { "x", "const " T " *x", NULL, true }, { "y", "const " T " *y", NULL, true },            \
	  { "n", "int n", NULL, false }, { "s", T " s", NULL, false } }

static const struct given dot = {
	.source = DOT_SOURCE("double"),
	.nest = "region f(f64 x[n] in, f64 y[n] in; i32 n; f64 s inout)\n"
		"for i in 0..n\n"
		"  S0: s += x[i] * y[i]\n",
	.local = DOT_LOCALS("double"),
	.flag = { "-O2" },
};

static const char in_lanes[] =
	"double s0 = 0, s1 = 0, s2 = 0, s3 = 0; int i;\n"
	"for (i = 0; i + 4 <= n; i += 4) {\n"
	"	s0 += x[i] * y[i]; s1 += x[i + 1] * y[i + 1]; s2 += x[i + 2] * y[i + 2]; s3 += x[i + 3] * y[i + 3]; }\n"
	"for (; i < n; i++) s += x[i] * y[i];\n"
	"s += (s0 + s1) + (s2 + s3);\n";

static void reordering_is_for_reassoc_only(void **state)
{
	struct given given = dot;
	struct opened *opened = open_given(&given);

	(void)state;
	expect_admitted(opened);
	expect_verdict(opened, "", in_lanes, false, VERDICT_DIFFERENT);
	close_given(opened);
	given.strictness = STRICT_REASSOC;
	opened = open_given(&given);
	expect_admitted(opened);
	expect_verdict(opened, "", in_lanes, true, VERDICT_EQUAL);
	expect_verdict(opened, "", "for (int i = n - 1; i >= 0; i--) s = fma(x[i], y[i], s);", true, VERDICT_EQUAL);
	close_given(opened);
}

static void precision_may_not_be_lost(void **state)
{
	struct given given = dot;
	struct opened *opened;

	(void)state;
	given.strictness = STRICT_REASSOC;
	opened = open_given(&given);
	expect_admitted(opened);
	expect_verdict(opened, "", "float t = 0; for (int i = 0; i < n; i++) t += (float)x[i] * (float)y[i]; s += t;",
		       false, VERDICT_DIFFERENT);
	expect_verdict(opened, "", "for (int i = 0; i < n; i++) s += (double)(float)(x[i] * y[i]);", false,
		       VERDICT_DIFFERENT);
	expect_verdict(opened, "", "for (int i = 0; i < n - 1; i++) s += x[i] * y[i];", false, VERDICT_DIFFERENT);
	expect_verdict(opened, "", "double t = 0; for (int i = 0; i < n; i += 2) t += x[i] * y[i]; s += 2 * t;", false,
		       VERDICT_DIFFERENT);
	close_given(opened);
}

/* The variance of a row, by its definition; the one-pass formula cancels. */
static const struct given variance = {
	.source = "#include <math.h>\n"
		  "void f(float *v, const float *x, int n, int m)\n"
		  "{\n"
		  "	/* BEGIN */\n"
		  "	for (int i = 0; i < n; i++) {\n"
		  "		float mean = 0, sum = 0;\n"
		  "		for (int j = 0; j < m; j++)\n"
		  "			mean += x[i * m + j];\n"
		  "		mean = mean / (float)m;\n"
		  "		for (int j = 0; j < m; j++) {\n"
		  "			float d = x[i * m + j] - mean;\n"
		  "			sum += d * d;\n"
		  "		}\n"
		  "		v[i] = 1.0f / sqrtf(sum / (float)m + 1e-5f);\n"
		  "	}\n"
		  "	/* END */\n"
		  "}\n",
	.nest = "region f(f32 v[n] out, f32 x[n,m] in; i32 n, m)\n"
		"for i in 0..n\n"
		"  S0: let mean: f32 = 0.0f\n"
		"  S1: let sum: f32 = 0.0f\n"
		"  for j in 0..m\n"
		"    S2: mean += x[i,j]\n"
		"  S3: mean = mean / f32(m)\n"
		"  for j in 0..m\n"
		"    S4: let d: f32 = x[i,j] - mean\n"
		"    S5: sum += d * d\n"
		"  S6: v[i] = 1.0f / sqrtf(sum / f32(m) + 0x1.4f8b58p-17f)\n",
	.local = { { "v", "float *v", NULL, true }, { "x", "const float *x", NULL, true }, { "n", "int n", NULL, false },
		   { "m", "int m", NULL, false } },
	.flag = { "-O3", "-march=native" },
	.strictness = STRICT_REASSOC,
};

static void unstable_algebra_is_caught(void **state)
{
	struct opened *opened = open_given(&variance);

	(void)state;
	expect_admitted(opened);
	expect_verdict(opened, "",
		       "for (int i = 0; i < n; i++) {\n"
		       "	float mean = 0, a = 0, b = 0; int j;\n"
		       "	for (j = 0; j < m; j++) mean += x[i * m + j];\n"
		       "	mean /= m;\n"
		       "	for (j = 0; j + 2 <= m; j += 2) {\n"
		       "		float d = x[i * m + j] - mean, e = x[i * m + j + 1] - mean; a += d * d; b += e * e; }\n"
		       "	for (; j < m; j++) a += (x[i * m + j] - mean) * (x[i * m + j] - mean);\n"
		       "	v[i] = 1.0f / sqrtf((a + b) / m + 1e-5f);\n"
		       "}\n",
		       true, VERDICT_EQUAL);
	expect_verdict(opened, "",
		       "for (int i = 0; i < n; i++) {\n"
		       "	float s = 0, q = 0;\n"
		       "	for (int j = 0; j < m; j++) { s += x[i * m + j]; q += x[i * m + j] * x[i * m + j]; }\n"
		       "	v[i] = 1.0f / sqrtf(q / m - (s / m) * (s / m) + 1e-5f);\n"
		       "}\n",
		       true, VERDICT_DIFFERENT);
	close_given(opened);
}

/* Cholesky: random matrices give NaN alone, on which nothing would be noticed. */
static const struct given cholesky = {
	.source = "#include <math.h>\n"
		  "void f(int n, double A[n][n])\n"
		  "{\n"
		  "	/* BEGIN */\n"
		  "	for (int i = 0; i < n; i++) {\n"
		  "		for (int j = 0; j < i; j++) {\n"
		  "			for (int k = 0; k < j; k++)\n"
		  "				A[i][j] -= A[i][k] * A[j][k];\n"
		  "			A[i][j] /= A[j][j];\n"
		  "		}\n"
		  "		for (int k = 0; k < i; k++)\n"
		  "			A[i][i] -= A[i][k] * A[i][k];\n"
		  "		A[i][i] = sqrt(A[i][i]);\n"
		  "	}\n"
		  "	/* END */\n"
		  "}\n",
	.nest = "region f(f64 A[n,n]; i32 n)\n"
		"  where A: native\n"
		"for i in 0..n\n"
		"  for j in 0..i\n"
		"    for k in 0..j\n"
		"      S0: A[i,j] -= A[i,k] * A[j,k]\n"
		"    S1: A[i,j] /= A[j,j]\n"
		"  for k in 0..i\n"
		"    S2: A[i,i] -= A[i,k] * A[i,k]\n"
		"  S3: A[i,i] = sqrt(A[i,i])\n",
	.local = { { "n", "int n", NULL, false }, { "A", "double (*A)[n]", NULL, true } },
	.flag = { "-O3", "-march=native" },
	.fact = { { FACT_SPD, "A", NULL } },
	.n_fact = 1,
};

static void facts_make_inputs_meaningful(void **state)
{
	struct opened *opened = open_given(&cholesky);
	double flops, bytes;

	(void)state;
	expect_admitted(opened);
	judge_work(opened->judge, &flops, &bytes);
	assert_true(flops > 1e3);
	assert_true(bytes > 1e3);
	expect_verdict(opened, "",
		       "for (int j = 0; j < n; j++) {\n"
		       "	for (int k = 0; k < j; k++) A[j][j] -= A[j][k] * A[j][k];\n"
		       "	A[j][j] = sqrt(A[j][j]);\n"
		       "	for (int i = j + 1; i < n; i++) {\n"
		       "		for (int k = 0; k < j; k++) A[i][j] -= A[i][k] * A[j][k];\n"
		       "		A[i][j] /= A[j][j];\n"
		       "	}\n"
		       "}\n",
		       true, VERDICT_EQUAL);
	close_given(opened);
}

/* LU factorization, whose last pivot has no rows below, and a loop whose last two iterations do nothing that shows. */
static void idle_last_iterations_are_passed_over(void **state)
{
	static const struct given lu = {
		.source = "void f(int n, double A[n][n])\n"
			  "{\n"
			  "	/* BEGIN */\n"
			  "	for (int k = 0; k < n; k++)\n"
			  "		for (int i = k + 1; i < n; i++) {\n"
			  "			A[i][k] /= A[k][k];\n"
			  "			for (int j = k + 1; j < n; j++)\n"
			  "				A[i][j] -= A[i][k] * A[k][j];\n"
			  "		}\n"
			  "	/* END */\n"
			  "}\n",
		.nest = "region f(f64 A[n,n]; i32 n)\n"
			"  where A: native\n"
			"for k in 0..n\n"
			"  for i in k + 1..n\n"
			"    S0: A[i,k] /= A[k,k]\n"
			"    for j in k + 1..n\n"
			"      S1: A[i,j] -= A[i,k] * A[k,j]\n",
		.local = { { "n", "int n", NULL, false }, { "A", "double (*A)[n]", NULL, true } },
		.flag = { "-O2" },
	};
	static const struct given idle = {
		.source = "void f(int n, float *x)\n"
			  "{\n"
			  "	/* BEGIN */\n"
			  "	for (int k = 0; k < n; k++)\n"
			  "		for (int i = 0; i < n - k - 2; i++)\n"
			  "			x[0] += 1.0f;\n"
			  "	/* END */\n"
			  "}\n",
		.nest = "region f(f32 x[1]; i32 n)\n"
			"for k in 0..n\n"
			"  for i in 0..n - k - 2\n"
			"    S0: x[0] += 1.0f\n",
		.local = { { "n", "int n", NULL, false }, { "x", "float *x", NULL, true } },
		.flag = { "-O2" },
	};
	struct opened *opened = open_given(&lu);

	(void)state;
	expect_admitted(opened);
	expect_verdict(opened, "",
		       "for (int k = 0; k < n - 2; k++)\n"
		       "	for (int i = k + 1; i < n; i++) {\n"
		       "		A[i][k] /= A[k][k];\n"
		       "		for (int j = k + 1; j < n; j++) A[i][j] -= A[i][k] * A[k][j];\n"
		       "	}\n",
		       false, VERDICT_DIFFERENT);
	close_given(opened);
	opened = open_given(&idle);
	assert_int_equal(opened->admission.kind, VERDICT_UNTESTABLE);
	assert_non_null(strstr(opened->admission.witness, "outermost loop dropped"));
	close_given(opened);
}

/* A constant that the nest has by value and the text by name. */
static void constants_keep_their_value(void **state)
{
	static const struct given given = {
		.source = "void f(float *x, int n)\n"
			  "{\n"
			  "	const float eps = 1e-5f;\n"
			  "	/* BEGIN */\n"
			  "	for (int i = 0; i < n; i++)\n"
			  "		x[i] = 1.0f / (x[i] * x[i] + eps);\n"
			  "	/* END */\n"
			  "}\n",
		.nest = "region f(f32 x[n]; i32 n)\n"
			"for i in 0..n\n"
			"  S0: x[i] = 1.0f / (x[i] * x[i] + 1e-05f)\n",
		.local = { { "x", "float *x", NULL, true }, { "n", "int n", NULL, false },
			   { "eps", "const float eps = 0x1.4f8b58p-17", NULL, false } },
		.flag = { "-O2" },
	};
	struct opened *opened = open_given(&given);

	(void)state;
	expect_admitted(opened);
	expect_verdict(opened, "", "for (int i = 0; i < n; i++) x[i] = 1.0f / (x[i] * x[i] + eps);", true, VERDICT_EQUAL);
	close_given(opened);
}

/* Deviations from the mean, scaled: on values with a large offset the original errs by far more than its results' size
 * tells, and so does a sum in another order. */
static void cancellation_is_allowed_for(void **state)
{
	static const struct given given = {
		.source = "void f(const float *restrict x, const float *restrict g, float *restrict y, int n)\n"
			  "{\n"
			  "	/* BEGIN */\n"
			  "	float m = 0;\n"
			  "	for (int i = 0; i < n; i++)\n"
			  "		m += x[i];\n"
			  "	m /= n;\n"
			  "	for (int i = 0; i < n; i++)\n"
			  "		y[i] = (x[i] - m) * g[i];\n"
			  "	/* END */\n"
			  "}\n",
		.nest = "region f(f32 x[n] in, f32 g[n] in, f32 y[n] out; i32 n)\n"
			"S0: let m: f32 = 0.0f\n"
			"for i in 0..n\n"
			"  S1: m += x[i]\n"
			"S2: m /= f32(n)\n"
			"for i in 0..n\n"
			"  S3: y[i] = (x[i] - m) * g[i]\n",
		.local = { { "x", "const float *restrict x", NULL, true }, { "g", "const float *restrict g", NULL, true },
			   { "y", "float *restrict y", NULL, true }, { "n", "int n", NULL, false } },
		.flag = { "-O2" },
		.strictness = STRICT_REASSOC,
	};
	struct opened *opened = open_given(&given);

	(void)state;
	expect_admitted(opened);
	expect_verdict(opened, "",
		       "float m = 0, k = 0; int i;\n"
		       "for (i = 0; i + 2 <= n; i += 2) { m += x[i]; k += x[i + 1]; }\n"
		       "if (i < n) m += x[i];\n"
		       "m = (m + k) / n;\n"
		       "for (i = 0; i < n; i++) y[i] = (x[i] - m) * g[i];\n",
		       true, VERDICT_EQUAL);
	expect_verdict(opened, "",
		       "float m = 0; int i;\n"
		       "for (i = 0; i + 1 < n; i++) m += x[i];\n"
		       "m /= n;\n"
		       "for (i = 0; i < n; i++) y[i] = (x[i] - m) * g[i];\n",
		       false, VERDICT_DIFFERENT);
	close_given(opened);
}

/* A lifting that is wrong: the nest and the source disagree. */
static void wrong_liftings_are_untestable(void **state)
{
	static const char *const wrong[] = {
		"region f(f64 x[n] in, f64 y[n] in; i32 n; f64 s inout)\nfor i in 0..n - 1\n  S0: s += x[i] * y[i]\n",
		"region f(f64 x[n] in, f64 y[n] in; i32 n; f64 s inout)\nfor i in 0..n\n  S0: s += x[i] + y[i]\n",
		"region f(f64 x[n] in, f64 y[n] in; i32 n; f64 s inout)\nfor i in 0..n\n  S0: s = x[i] * y[i]\n",
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct given given = dot;
		struct opened *opened;

		given.nest = wrong[i];
		opened = open_given(&given);
		assert_int_equal(opened->admission.kind, VERDICT_UNTESTABLE);
		close_given(opened);
	}
}

/* Where lazy answers are right answers, none can be told from the right ones. */
static void regions_that_hide_errors_are_untestable(void **state)
{
	struct given zero = {
		.source = "void f(float *x, int n)\n{\n	/* BEGIN */\n	for (int i = 0; i < n; i++)\n		x[i] = 0;\n	/* END */\n}\n",
		.nest = "region f(f32 x[n] out; i32 n)\nfor i in 0..n\n  S0: x[i] = 0.0f\n",
		.local = { { "x", "float *x", NULL, true }, { "n", "int n", NULL, false } },
		.flag = { "-O2" },
	};
	struct opened *opened = open_given(&zero);

	(void)state;
	assert_int_equal(opened->admission.kind, VERDICT_UNTESTABLE);
	assert_non_null(strstr(opened->admission.witness, "all zero"));
	close_given(opened);
}

/* State that outlives a call: answers kept by address or by count of calls. */
static void memory_across_calls_is_caught(void **state)
{
	struct opened *opened = open_given(&dot);

	(void)state;
	expect_admitted(opened);
	expect_verdict(opened, "static const double *seen; static double kept;\n",
		       "if (seen != x) { for (int i = 0; i < n; i++) s += x[i] * y[i]; seen = x; kept = s; } else s = kept;",
		       false, VERDICT_DIFFERENT);
	expect_verdict(opened, "static int calls;\n",
		       "if (calls++ < 1) for (int i = 0; i < n; i++) s += x[i] * y[i];", false, VERDICT_NONDETERMINISTIC);
	close_given(opened);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(reordering_is_for_reassoc_only),
	cmocka_unit_test(precision_may_not_be_lost),
	cmocka_unit_test(unstable_algebra_is_caught),
	cmocka_unit_test(facts_make_inputs_meaningful),
	cmocka_unit_test(idle_last_iterations_are_passed_over),
	cmocka_unit_test(constants_keep_their_value),
	cmocka_unit_test(cancellation_is_allowed_for),
	cmocka_unit_test(wrong_liftings_are_untestable),
	cmocka_unit_test(regions_that_hide_errors_are_untestable),
	cmocka_unit_test(memory_across_calls_is_caught),
};
RUN_TESTS(tests)
