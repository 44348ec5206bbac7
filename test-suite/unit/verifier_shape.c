#include "verifier_support.h"

#include "verifier/extent.h"
#include "verifier/shape.h"

/* A nest whose params have given values; the box of its first array and the failure, if any. */
struct case_of_boxes {
	const char *nest;
	int64_t value[4];
	int64_t lo, hi;
	bool fails;
};

static const struct case_of_boxes cases[] = {
	{ "region f(f32 A[n]; i32 n)\nfor i in 0..n\n  S0: A[i] = 0.0f\n", { 10 }, 0, 9, false },
	{ "region f(f32 A[n]; i32 n)\nfor i in 0..n\n  S0: A[i] = 0.0f\n", { 0 }, 0, -1, false },
	{ "region f(f32 A[n]; i32 n)\nfor i in 0..n step 3\n  S0: A[i] = 0.0f\n", { 11 }, 0, 9, false },
	{ "region f(f32 A[?]; i32 n)\nfor i in 0..n\n  for j in 0..i + 1\n    S0: A[i - j] = 0.0f\n", { 10 }, 0, 9, false },
	{ "region f(f32 A[?]; i32 n)\nfor i in 1..n\n  for j in 0..n\n    S0: A[j - i] = 0.0f\n", { 10 }, -9, 8, false },
	{ "region f(f32 A[?,n]; i32 n, m)\nfor i in 0..m\n  for j in i..n\n    S0: A[i,j] = 0.0f\n", { 7, 3 }, 0, 20, false },
	{ "region f(f32 A[?,n]; i32 n, m)\nfor i in 0..m\n  for j in 0..n + 1\n    S0: A[i,j] = 0.0f\n", { 7, 3 }, 0, 0, true },
	{ "region f(f32 A[?,n]; i32 n, m)\nfor i in 0..m\n  for j in 0..n + 1\n    if j < n\n      S0: A[i,j] = 0.0f\n",
	  { 7, 3 }, 0, 20, false },
	{ "region f(f32 A[?]; i32 n)\nfor i in 0..n\n  S0: let k: i32 = n - 1 - i\n  S1: A[2 * k + 1] = 0.0f\n", { 5 }, 1, 9,
	  false },
	{ "region f(f32 A[?], i32 p[n] in; i32 n)\nfor i in 0..n\n  S0: A[p[i]] = 0.0f\n", { 5 }, 0, 0, true },
	{ "region f(f32 A[?], u8 p[n] in; i32 n)\nfor i in 0..n\n  S0: A[p[i]] = 0.0f\n", { 5 }, 0, 255, false },
	{ "region f(f32 A[?]; i32 n)\nfor i in 0..n\n  S0: A[i % 4] = 0.0f\n", { 9 }, 0, 3, false },
};

static void boxes_hold_what_is_touched(void **state)
{
	size_t c;

	(void)state;
	for (c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
		struct arena *arena = arena_new();
		struct diag diag = { 0 };
		struct nest *nest = nest_parse(arena, cases[c].nest, &diag);
		struct signature signature = { 0 };
		int64_t value[16] = { 0 };
		bool is_known[16] = { false };
		struct shape shape;
		struct box box[16];
		struct extent_failure failure;
		double work;
		int params = 0;

		if (!nest)
			fail_msg("%s\n%s", cases[c].nest, diag.message);
		for (int v = 0; v < nest->n_var; v++)
			if (nest->var[v]->kind == VAR_PARAM) {
				value[v] = cases[c].value[params++];
				is_known[v] = true;
			}
		shape = (struct shape){ nest->n_var, value, is_known };
		if (extent_boxes(nest, &signature, &shape, box, &work, &failure) == cases[c].fails)
			fail_msg("%s\n%s", cases[c].nest, failure.why);
		if (!cases[c].fails && (box[0].lo != cases[c].lo || box[0].hi != cases[c].hi))
			fail_msg("%s\n[%lld, %lld]", cases[c].nest, (long long)box[0].lo, (long long)box[0].hi);
		arena_free(arena);
	}
}

static int64_t value_of(const struct nest *nest, const struct sized *sized, const char *name)
{
	for (int v = 0; v < nest->n_var; v++)
		if (!strcmp(nest->var[v]->name, name))
			return sized->shape.value[v];
	fail_msg("there is no %s", name);
	return 0;
}

/* Strides, offsets and sizes that depend on each other, over all kinds of shapes and many draws. */
static void shapes_keep_assumptions(void **state)
{
	static const char text[] =
		"region f(f32 y[?] out, f32 A[?,lda] in; i32 n, m, lda, off, even)\n"
		"  assume m + off <= lda\n"
		"  assume 2 * n <= even\n"
		"  assume off >= 0\n"
		"for i in 0..n\n"
		"  for j in 0..m\n"
		"    S0: y[i] = A[i,j + off]\n"
		"    S1: y[i + even] = A[i,j]\n";
	struct arena *arena = arena_new();
	struct signature signature = { 0 };
	struct nest *nest = nest_parse(arena, text, NULL);
	struct job job = { .nest = nest, .signature = &signature };
	struct effort effort = { 1e6, 1 << 24 };
	struct rng rng;

	(void)state;
	assert_non_null(nest);
	rng_seed(&rng, 5);
	for (int draw = 0; draw < 200; draw++) {
		struct extent_failure failure;
		enum shape_kind kind = (enum shape_kind)(draw % SHAPE_GIVEN);
		const struct wish wish = { .job = &job, .kind = kind, .most = effort };
		struct sized *sized = shape_draw(arena, &wish, &rng, &failure);

		if (!sized)
			fail_msg("kind %d: %s", (int)kind, failure.why);
		assert_true(value_of(nest, sized, "m") + value_of(nest, sized, "off") <= value_of(nest, sized, "lda"));
		assert_true(2 * value_of(nest, sized, "n") <= value_of(nest, sized, "even"));
		assert_true(value_of(nest, sized, "off") >= 0);
		assert_true(sized->work <= 2 * effort.work);
		if (kind == SHAPE_ONE)
			assert_int_equal(value_of(nest, sized, "n"), 1);
		if (kind == SHAPE_PRIME)
			assert_true(value_of(nest, sized, "n") != value_of(nest, sized, "m"));
	}
	arena_free(arena);
}

static void given_sizes_stay(void **state)
{
	static const struct size given[] = { { "n", 100 }, { "lda", 7 } };
	struct arena *arena = arena_new();
	struct signature signature = { 0 };
	struct nest *nest = nest_parse(arena,
				       "region f(f32 A[?,lda]; i32 n, m, lda)\n  assume m <= lda\nfor i in 0..n\n"
				       "  for j in 0..m\n    S0: A[i,j] = 0.0f\n",
				       NULL);
	struct job job = { .nest = nest, .signature = &signature };
	const struct wish wish = {
		.job = &job, .kind = SHAPE_GIVEN, .n_given = 2, .given = given, .most = { 1e6, 1 << 24 }
	};
	struct extent_failure failure;
	struct sized *sized;
	struct rng rng;

	(void)state;
	rng_seed(&rng, 5);
	sized = shape_draw(arena, &wish, &rng, &failure);
	assert_non_null(sized);
	assert_int_equal(value_of(nest, sized, "n"), 100);
	assert_int_equal(value_of(nest, sized, "lda"), 7);
	assert_true(value_of(nest, sized, "m") <= 7);
	arena_free(arena);
}

/* A filter whose border is as wide as its radius: whatever is drawn for the two, something is left within. */
static void loops_run(void **state)
{
	static const char text[] = "region f(f32 x[n] in, f32 y[n - r] out; i32 n, r)\n"
				   "  assume r >= 0\n"
				   "for i in r..n - r\n"
				   "  S0: let s: f32 = 0.0f\n"
				   "  for j in -r..r + 1\n"
				   "    S1: s += x[i + j]\n"
				   "  S2: y[i] = s\n";
	struct arena *arena = arena_new();
	struct signature signature = { 0 };
	struct nest *nest = nest_parse(arena, text, NULL);
	struct job job = { .nest = nest, .signature = &signature };
	struct rng rng;

	(void)state;
	assert_non_null(nest);
	rng_seed(&rng, 5);
	for (int draw = 0; draw < 200; draw++) {
		struct extent_failure failure;
		enum shape_kind kind = (enum shape_kind)(draw % SHAPE_GIVEN);
		const struct wish wish = { .job = &job, .kind = kind, .most = { 1e6, 1 << 24 }, .edge = 2, .edge_size = draw };
		struct sized *sized = shape_draw(arena, &wish, &rng, &failure);

		if (!sized)
			fail_msg("kind %d: %s", (int)kind, failure.why);
		if (kind == SHAPE_EDGE)
			assert_int_equal(value_of(nest, sized, "n"), draw);
		else if (kind == SHAPE_ZERO || kind == SHAPE_ONE)
			assert_true(value_of(nest, sized, "n") <= 1);
		else
			assert_true(value_of(nest, sized, "n") > 2 * value_of(nest, sized, "r"));
	}
	arena_free(arena);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(boxes_hold_what_is_touched),
	cmocka_unit_test(shapes_keep_assumptions),
	cmocka_unit_test(given_sizes_stay),
	cmocka_unit_test(loops_run),
};
RUN_TESTS(tests)
