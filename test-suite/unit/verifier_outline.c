#include "verifier_support.h"

/* Fields behind pointers, a record by value, a scalar that comes back through a field. */
static const struct given fields = {
	.source = "typedef struct { int w; float *out; float scale; } layer;\n"
		  "typedef struct { int h; const float *data; } image;\n"
		  "void f(layer *const l, const image im)\n"
		  "{\n"
		  "	int i, j;\n"
		  "	/* BEGIN */\n"
		  "	for (i = 0; i < im.h; ++i)\n"
		  "		for (j = 0; j < l->w; ++j)\n"
		  "			l->out[i * l->w + j] = l->scale * im.data[i * l->w + j];\n"
		  "	/* END */\n"
		  "}\n",
	.nest = "region f(f32 out[h,w] out, f32 data[h,w] in; i32 w, h; f32 scale)\n"
		"  where out: source \"l->out\"\n"
		"  where data: source \"im.data\", const\n"
		"  where w: source \"l->w\"\n"
		"  where h: source \"im.h\"\n"
		"  where scale: source \"l->scale\"\n"
		"for i in 0..h\n"
		"  for j in 0..w\n"
		"    S0: out[i,j] = scale * data[i,j]\n",
	.local = { { "l", "layer *const l", "layer", true }, { "im", "const image im", "image", false },
		   { "i", "int i", NULL, false }, { "j", "int j", NULL, false } },
	.flag = { "-O2" },
};

static void fields_reach_the_region(void **state)
{
	struct opened *opened = open_given(&fields);

	(void)state;
	expect_admitted(opened);
	expect_verdict(opened, "",
		       "int w = l->w, h = im.h;\n"
		       "if (l->out + h * w > im.data && im.data + h * w > l->out) {\n"
		       "	for (i = 0; i < h; i++) for (j = 0; j < w; j++)\n"
		       "		l->out[i * l->w + j] = l->scale * im.data[i * l->w + j];\n"
		       "} else {\n"
		       "	for (j = 0; j < w; j++) for (i = 0; i < h; i++)\n"
		       "		l->out[i * w + j] = l->scale * im.data[i * w + j];\n"
		       "}\n",
		       true, VERDICT_EQUAL);
	expect_verdict(opened, "",
		       "for (j = 0; j < l->w; j++) for (i = 0; i < im.h; i++)\n"
		       "	l->out[i * l->w + j] = l->scale * im.data[j];\n",
		       false, VERDICT_DIFFERENT);
	expect_verdict(opened, "",
		       "for (i = 0; i < im.h; ++i) for (j = 0; j < l->w; ++j)\n"
		       "	l->out[i * l->w + j] = l->scale * im.data[i * l->w + j];\n"
		       "l->scale = 1;\n",
		       false, VERDICT_INPUT_CHANGED);
	close_given(opened);
}

/* Array objects at file scope and in the function, a table that is only read, a scalar that lives on. */
static const struct given objects = {
	.source = "static double A[40][50], b[50];\n"
		  "extern double t[40];\n"
		  "extern int n;\n"
		  "double f(int m)\n"
		  "{\n"
		  "	double row[50], sum = 0;\n"
		  "	/* BEGIN */\n"
		  "	for (int j = 0; j < m; j++)\n"
		  "		row[j] = 2 * b[j];\n"
		  "	for (int i = 0; i < n; i++)\n"
		  "		for (int j = 0; j < m; j++) {\n"
		  "			A[i][j] = A[i][j] + row[j];\n"
		  "			sum += A[i][j];\n"
		  "		}\n"
		  "	/* END */\n"
		  "	return sum + row[0];\n"
		  "}\n",
	.nest = "region f(f64 A[40,50], f64 b[50] in, f64 row[50]; i32 n, m; f64 sum inout)\n"
		"  where A: native, object\n"
		"  where b: object\n"
		"  where row: object\n"
		"  assume n <= 40\n"
		"  assume m <= 50\n"
		"for j in 0..m\n"
		"  S0: row[j] = 2.0 * b[j]\n"
		"for i in 0..n\n"
		"  for j in 0..m\n"
		"    S1: A[i,j] = A[i,j] + row[j]\n"
		"    S2: sum += A[i,j]\n",
	.local = { { "m", "int m", NULL, false }, { "row", "double row[50]", NULL, false },
		   { "sum", "double sum", NULL, false } },
	.flag = { "-O3", "-march=native" },
};

static void objects_reach_the_region(void **state)
{
	struct opened *opened = open_given(&objects);
	struct runner *runner;
	struct timing timing;

	(void)state;
	expect_admitted(opened);
	expect_verdict(opened, "",
		       "for (int j = 0; j < m; j++) row[j] = b[j] + b[j];\n"
		       "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) {\n"
		       "	A[i][j] += row[j]; sum = sum + A[i][j]; }\n",
		       true, VERDICT_EQUAL);
	runner = runner_start(opened->judge, judge_last(opened->judge), 1, &opened->diag);
	assert_non_null(runner);
	assert_true(runner_time(runner, 100, false, &timing));
	runner_stop(runner);
	expect_verdict(opened, "",
		       "for (int j = 0; j < m; j++) row[j] = b[j] + b[j];\n"
		       "for (int i = 0; i < n; i++) { double s = 0; for (int j = 0; j < m; j++) {\n"
		       "	A[i][j] += row[j]; s += A[i][j]; } sum += s; }\n",
		       true, VERDICT_DIFFERENT);
	expect_verdict(opened, "",
		       "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) {\n"
		       "	A[i][j] += b[j] + b[j]; sum = sum + A[i][j]; }\n",
		       false, VERDICT_DIFFERENT);
	close_given(opened);
}

/* Subscripts below zero, a base with an offset, a strided row and native subscripts of a variable extent. */
static const struct given shifted = {
	.source = "void f(int n, int lda, const float (*restrict A)[lda], float *restrict out)\n"
		  "{\n"
		  "	/* BEGIN */\n"
		  "	for (int i = 1; i < n; i++)\n"
		  "		for (int j = 1; j < n; j++)\n"
		  "			(out + 3)[j - i] += A[i - 1][j - 1] + A[i][j];\n"
		  "	/* END */\n"
		  "}\n",
	.nest = "region f(f32 out[?], f32 A[?,lda] in; i32 n, lda)\n"
		"  where out: source \"out + 3\"\n"
		"  where A: native, const\n"
		"  assume n <= lda\n"
		"for i in 1..n\n"
		"  for j in 1..n\n"
		"    S0: out[j - i] += A[i - 1,j - 1] + A[i,j]\n",
	.local = { { "n", "int n", NULL, false }, { "lda", "int lda", NULL, false },
		   { "A", "const float (*restrict A)[lda]", NULL, true },
		   { "out", "float *restrict out", NULL, true } },
	.flag = { "-O2" },
};

static void shifted_bases_reach_the_region(void **state)
{
	struct opened *opened = open_given(&shifted);

	(void)state;
	expect_admitted(opened);
	expect_verdict(opened, "",
		       "float *o = out + 3;\n"
		       "for (int i = 1; i < n; i++) for (int j = 1; j < n; j++) o[j - i] += A[i - 1][j - 1] + A[i][j];\n",
		       true, VERDICT_EQUAL);
	expect_verdict(opened, "",
		       "for (int i = 1; i < n; i++) for (int j = 1; j < n; j++)\n"
		       "	out[j - i] += A[i - 1][j - 1] + A[i][j];\n",
		       false, VERDICT_OUT_OF_BOUNDS);
	close_given(opened);
}

/* Integers with C's conversions, data conditions, an index array with a known range. */
static const struct given integers = {
	.source = "#include <stdint.h>\n"
		  "#include <stddef.h>\n"
		  "void f(uint8_t *y, const int16_t *x, const int *idx, size_t n, int m)\n"
		  "{\n"
		  "	/* BEGIN */\n"
		  "	for (size_t i = 0; i < n; i++) {\n"
		  "		int v = x[idx[i]] * 3 >> 2;\n"
		  "		if (v > m)\n"
		  "			v -= 7;\n"
		  "		y[i] = (uint8_t)(v < 0 ? 0 : v > 255 ? 255 : v);\n"
		  "	}\n"
		  "	/* END */\n"
		  "}\n",
	.nest = "region f(u8 y[n] out, i16 x[m] in, i32 idx[n] in; u64 n; i32 m)\n"
		"for i: u64 in 0..n\n"
		"  S0: let v: i32 = i32(x[idx[i]]) * 3 >> 2\n"
		"  if v > m\n"
		"    S1: v -= 7\n"
		"  S2: y[i] = u8(v < 0 ? 0 : v > 255 ? 255 : v)\n",
	.local = { { "y", "uint8_t *y", NULL, true }, { "x", "const int16_t *x", NULL, true },
		   { "idx", "const int *idx", NULL, true }, { "n", "size_t n", NULL, false },
		   { "m", "int m", NULL, false } },
	.flag = { "-O2" },
};

static void integers_are_compared_exactly(void **state)
{
	struct given given = integers;
	struct opened *opened;

	(void)state;
	opened = open_given(&given);
	assert_int_equal(opened->admission.kind, VERDICT_UNTESTABLE);
	close_given(opened);
	given.fact[0] = (struct given_fact){ FACT_INDEX, "idx", "m" };
	given.n_fact = 1;
	opened = open_given(&given);
	expect_admitted(opened);
	expect_verdict(opened, "",
		       "for (size_t i = 0; i < n; i++) {\n"
		       "	int v = (x[idx[i]] * 3) / 4 - (x[idx[i]] * 3 % 4 < 0);\n"
		       "	if (v > m) v -= 7;\n"
		       "	y[i] = v < 0 ? 0 : v > 255 ? 255 : v;\n"
		       "}\n",
		       true, VERDICT_EQUAL);
	expect_verdict(opened, "",
		       "for (size_t i = 0; i < n; i++) {\n"
		       "	int v = (x[idx[i]] * 3) >> 2;\n"
		       "	if (v > m) v -= 7;\n"
		       "	y[i] = v;\n"
		       "}\n",
		       false, VERDICT_DIFFERENT);
	close_given(opened);
}

/* A scalar of the function that nothing reads afterwards may hold anything. */
static const struct given leftover = {
	.source = "double f(const double *x, int n)\n"
		  "{\n"
		  "	double last, sum = 0;\n"
		  "	/* BEGIN */\n"
		  "	for (int i = 0; i < n; i++) {\n"
		  "		last = x[i] * x[i];\n"
		  "		sum += last;\n"
		  "	}\n"
		  "	/* END */\n"
		  "	return sum;\n"
		  "}\n",
	.nest = "region f(f64 x[n] in; i32 n; f64 sum inout, last temp)\n"
		"for i in 0..n\n"
		"  S0: last = x[i] * x[i]\n"
		"  S1: sum += last\n",
	.local = { { "x", "const double *x", NULL, true }, { "n", "int n", NULL, false },
		   { "last", "double last", NULL, false }, { "sum", "double sum", NULL, false } },
	.flag = { "-O2" },
};

static void dead_scalars_do_not_count(void **state)
{
	struct opened *opened = open_given(&leftover);

	(void)state;
	expect_admitted(opened);
	expect_verdict(opened, "", "for (int i = 0; i < n; i++) sum += x[i] * x[i];", true, VERDICT_EQUAL);
	expect_verdict(opened, "", "for (int i = 0; i < n; i++) last = x[i] * x[i];", false, VERDICT_DIFFERENT);
	close_given(opened);
}

/* Threads that OpenMP keeps are no fault where the build uses OpenMP; other compilers do as well. */
static void other_builds_are_judged(void **state)
{
	struct given given = fields;
	struct opened *opened;

	(void)state;
	given.flag[1] = "-fopenmp";
	opened = open_given(&given);
	expect_admitted(opened);
	expect_verdict(opened, "",
		       "\n#pragma omp parallel for private(j) if (!(l->out + im.h * l->w > im.data && im.data + im.h * l->w > l->out))\n"
		       "for (i = 0; i < im.h; ++i) for (j = 0; j < l->w; ++j)\n"
		       "	l->out[i * l->w + j] = l->scale * im.data[i * l->w + j];\n",
		       true, VERDICT_EQUAL);
	close_given(opened);
	if (system("clang-22 --version >/dev/null 2>&1") != 0 && system("clang --version >/dev/null 2>&1") != 0)
		return;
	given.compiler = system("clang-22 --version >/dev/null 2>&1") == 0 ? "clang-22" : "clang";
	given.flag[1] = NULL;
	opened = open_given(&given);
	expect_admitted(opened);
	expect_verdict(opened, "", "for (i = 0; i < im.h; ++i) l->out[i] = 0;", false, VERDICT_DIFFERENT);
	close_given(opened);
}

static void a_broken_original_is_untestable(void **state)
{
	struct given given = fields;
	struct opened *opened;

	(void)state;
	given.local[0].declaration = "struct unknown_record *l";
	opened = open_given(&given);
	assert_int_equal(opened->admission.kind, VERDICT_UNTESTABLE);
	assert_non_null(strstr(opened->admission.witness, "error"));
	close_given(opened);
}

/* Params that the source computes: from a field, from a local that nothing else binds, from whether a pointer is NULL. */
static const struct given computed = {
	.source = "typedef struct { int w; float *out; } layer;\n"
		  "void f(layer *l, const float *x, const float *bias, int n)\n"
		  "{\n"
		  "	/* BEGIN */\n"
		  "	for (int i = 0; i < n / 2; i++)\n"
		  "		for (int j = 0; j < l->w - 1; j++)\n"
		  "			l->out[i * (l->w - 1) + j] = x[i * (l->w - 1) + j] + (bias != 0 ? bias[j] : 0.0f);\n"
		  "	/* END */\n"
		  "}\n",
	.nest = "region f(f32 out[?,w1] out, f32 x[?,w1] in, f32 bias[w1] in; i32 half, w1, has_bias)\n"
		"  where out: source \"l->out\"\n"
		"  where x: const\n"
		"  where bias: const\n"
		"  where half: source \"n / 2\"\n"
		"  where w1: source \"l->w - 1\"\n"
		"  where has_bias: source \"bias != 0\"\n"
		"  assume w1 >= 0\n"
		"for i in 0..half\n"
		"  for j in 0..w1\n"
		"    S0: out[i,j] = x[i,j] + (has_bias ? bias[j] : 0.0f)\n",
	.local = { { "l", "layer *l", "layer", true }, { "x", "const float *x", NULL, true },
		   { "bias", "const float *bias", NULL, true }, { "n", "int n", NULL, false } },
	.flag = { "-O2" },
};

static int64_t timed_size(const struct opened *opened, const char *name)
{
	const struct size *size;
	bool is_chosen;
	int n = judge_sizes(opened->judge, &size, &is_chosen);

	for (int i = 0; i < n; i++)
		if (!strcmp(size[i].name, name))
			return size[i].value;
	fail_msg("%s is no size", name);
	return 0;
}

static void params_are_computed(void **state)
{
	static const struct size size[] = { { "half", 321 }, { "w1", 123 }, { "has_bias", 1 } };
	struct given given = computed;
	struct opened *opened = open_given(&given);

	(void)state;
	expect_admitted(opened);
	expect_verdict(opened, "",
		       "int w = l->w - 1, h = n / 2;\n"
		       "for (int i = 0; i < h; i++) for (int j = 0; j < w; j++)\n"
		       "	l->out[i * w + j] = bias ? x[i * w + j] + bias[j] : x[i * w + j] + 0.0f;\n",
		       true, VERDICT_EQUAL);
	expect_verdict(opened, "",
		       "for (int i = 0; i < (n + 1) / 2 - 1; i++) for (int j = 0; j < l->w - 1; j++)\n"
		       "	l->out[i * (l->w - 1) + j] = x[i * (l->w - 1) + j] + (bias ? bias[j] : 0.0f);\n",
		       false, VERDICT_DIFFERENT);
	expect_verdict(opened, "",
		       "for (int i = 0; i < n / 2; i++) for (int j = 0; j < l->w - 1; j++) {\n"
		       "	float b = *(const volatile float *)&bias[j];\n"
		       "	l->out[i * (l->w - 1) + j] = x[i * (l->w - 1) + j] + (bias ? b : 0.0f);\n"
		       "}\n",
		       false, VERDICT_CRASH);
	close_given(opened);
	given.size = size;
	given.n_size = 3;
	opened = open_given(&given);
	expect_admitted(opened);
	assert_int_equal(timed_size(opened, "half"), 321);
	assert_int_equal(timed_size(opened, "w1"), 123);
	close_given(opened);
}

/* More computed params than a runner's answer has room for. */
static void params_beyond_an_answer_are_untestable(void **state)
{
	enum { PARAMS = 70 };
	struct text source = { 0 }, nest = { 0 };
	struct given given = { .local = { { "y", "float *y", NULL, true }, { "n", "int n", NULL, false } }, .flag = { "-O2" } };
	struct opened *opened;

	(void)state;
	text_append(&source, "void f(float *y, int n)\n{\n	/* BEGIN */\n	y[0] = (float)(0");
	text_append(&nest, "region f(f32 y[1] out; i32 d0");
	for (int i = 1; i < PARAMS; i++)
		text_printf(&nest, ", d%d", i);
	text_append(&nest, ")\n");
	for (int i = 0; i < PARAMS; i++) {
		text_printf(&source, " + n / %d", i + 2);
		text_printf(&nest, "  where d%d: source \"n / %d\"\n", i, i + 2);
	}
	text_append(&source, ");\n	/* END */\n}\n");
	text_append(&nest, "S0: y[0] = f32(0");
	for (int i = 0; i < PARAMS; i++)
		text_printf(&nest, " + d%d", i);
	text_append(&nest, ")\n");
	given.source = text_string(&source);
	given.nest = text_string(&nest);
	opened = open_given(&given);
	assert_int_equal(opened->admission.kind, VERDICT_UNTESTABLE);
	assert_string_equal(opened->admission.witness, "the region uses too many names");
	close_given(opened);
	text_free(&source);
	text_free(&nest);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(fields_reach_the_region),	 cmocka_unit_test(objects_reach_the_region),
	cmocka_unit_test(shifted_bases_reach_the_region), cmocka_unit_test(integers_are_compared_exactly),
	cmocka_unit_test(dead_scalars_do_not_count),
	cmocka_unit_test(params_are_computed),
	cmocka_unit_test(params_beyond_an_answer_are_untestable),
	cmocka_unit_test(other_builds_are_judged),
	cmocka_unit_test(a_broken_original_is_untestable),
};
RUN_TESTS(tests)
