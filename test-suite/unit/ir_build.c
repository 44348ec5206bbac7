/* Construction, simplification, substitution, evaluation, checks and keys of nests. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ir/nest.h"
#include "support/rng.h"

#include "../support/nest_random.c"

/* A nest with scalars of several types: i j n (i32), l (i64), u (u32), f (f32), and an array a. */
static struct nest *scalars(struct arena *arena)
{
	return nest_parse(arena, "region f(i32 a[8]; i32 i, j, n; i64 l; u32 u; f32 f)\n", NULL);
}

static struct expr *scalar(struct nest *nest, const char *name)
{
	return expr_scalar(nest->arena, nest_find_var(nest, name));
}

static void assert_prints(const struct expr *expr, const char *expected)
{
	struct text text = { 0 };

	expr_print(expr, &text);
	assert_string_equal(text_string(&text), expected);
	text_free(&text);
}

static void test_constants_fold(void **state)
{
	static const struct {
		enum op op;
		enum type type;
		int64_t left, right;
		bool folds;
		int64_t value;
	} cases[] = {
		{ OP_ADD, TYPE_I32, 2, 3, true, 5 },
		{ OP_ADD, TYPE_I32, INT32_MAX, 1, false, 0 },
		{ OP_SUB, TYPE_U32, 2, 3, false, 0 },
		{ OP_MUL, TYPE_I32, 65536, 65536, false, 0 },
		{ OP_MUL, TYPE_I64, 65536, 65536, true, 4294967296 },
		{ OP_MUL, TYPE_I64, INT64_MAX, 2, false, 0 },
		{ OP_DIV, TYPE_I32, -7, 2, true, -3 },
		{ OP_MOD, TYPE_I32, -7, 2, true, -1 },
		{ OP_FLOORDIV, TYPE_I32, -7, 2, true, -4 },
		{ OP_DIV, TYPE_I32, 1, 0, false, 0 },
		{ OP_DIV, TYPE_I64, INT64_MIN, -1, false, 0 },
		{ OP_DIV, TYPE_I32, INT32_MIN, -1, false, 0 },
		{ OP_SHL, TYPE_I32, 1, 30, true, 1 << 30 },
		{ OP_SHL, TYPE_I32, 1, 31, false, 0 },
		{ OP_SHL, TYPE_I32, 1, 32, false, 0 },
		{ OP_SHR, TYPE_I32, -1, 1, false, 0 },
		{ OP_MIN, TYPE_I32, -1, 1, true, -1 },
		{ OP_LT, TYPE_I64, -1, 1, true, 1 },
		{ OP_LAND, TYPE_I32, 1, 0, true, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct arena *arena = arena_new();
		struct expr *expr = expr_binary(arena, cases[i].op, expr_int(arena, cases[i].left, cases[i].type),
						expr_int(arena, cases[i].right, cases[i].type));

		assert_int_equal(expr->kind == EXPR_INT, cases[i].folds);
		if (cases[i].folds)
			assert_int_equal(expr->integer, cases[i].value);
		arena_free(arena);
	}
}

static void test_simplification(void **state)
{
	struct arena *arena = arena_new();
	struct nest *nest = scalars(arena);
	struct expr *i = scalar(nest, "i"), *f = scalar(nest, "f"), *u = scalar(nest, "u");
	struct expr *zero = expr_int(arena, 0, TYPE_I32), *one = expr_int(arena, 1, TYPE_I32);
	struct expr *three = expr_int(arena, 3, TYPE_I32), *real = expr_float(arena, 0, TYPE_F32, "0.0f");

	(void)state;
	assert_ptr_equal(expr_binary(arena, OP_ADD, i, zero), i);
	assert_ptr_equal(expr_binary(arena, OP_ADD, zero, i), i);
	assert_ptr_equal(expr_binary(arena, OP_MUL, one, i), i);
	assert_ptr_equal(expr_binary(arena, OP_DIV, i, one), i);
	assert_ptr_equal(expr_binary(arena, OP_MIN, i, i), i);
	assert_prints(expr_binary(arena, OP_MUL, i, zero), "0");
	assert_prints(expr_binary(arena, OP_SUB, zero, i), "0 - i");
	assert_prints(expr_binary(arena, OP_ADD, expr_binary(arena, OP_ADD, i, three), three), "i + 6");
	assert_prints(expr_binary(arena, OP_SUB, expr_binary(arena, OP_ADD, i, three), three), "i");
	assert_prints(expr_binary(arena, OP_ADD, i, expr_int(arena, -3, TYPE_I32)), "i - 3");
	assert_prints(expr_binary(arena, OP_ADD, f, real), "f + 0.0f");
	assert_prints(expr_binary(arena, OP_ADD, expr_binary(arena, OP_ADD, u, expr_int(arena, 3, TYPE_U32)),
				  expr_int(arena, 3, TYPE_U32)), "u + 3 + 3");
	assert_prints(expr_unary(arena, OP_NEG, three), "-3");
	assert_prints(expr_cast(arena, TYPE_I64, three), "3i64");
	assert_prints(expr_cast(arena, TYPE_U8, expr_int(arena, 300, TYPE_I32)), "u8(300)");
	assert_prints(expr_cast(arena, TYPE_F32, three), "f32(3)");
	assert_ptr_equal(expr_cast(arena, TYPE_I32, i), i);
	assert_ptr_equal(expr_select(arena, one, i, three), i);
	arena_free(arena);
}

static void test_floats_keep_value_and_spelling(void **state)
{
	static const struct {
		double value;
		enum type type;
		const char *spelling, *expected;
	} cases[] = {
		{ 0.5, TYPE_F32, "0.5f", "0.5f" },    { 0.5, TYPE_F32, "0.5", "0.5f" },
		{ 0.1, TYPE_F64, "0.1", "0.1" },      { 0.1, TYPE_F32, NULL, "0.1f" },
		{ 1, TYPE_F64, "1", "1.0" },          { 1, TYPE_F64, "1e0", "1e0" },
		{ 2, TYPE_F64, "3.0", "2.0" },        { 1e30, TYPE_F64, NULL, "1e+30" },
		{ -0.0, TYPE_F64, NULL, "-0.0" },     { 0.1 + 0.2, TYPE_F64, NULL, "0.30000000000000004" },
		{ 30, TYPE_F64, "0x1e", "30.0" },     { 3, TYPE_F32, "0x1.8p1f", "0x1.8p1f" },
		{ -INFINITY, TYPE_F32, NULL, "-__builtin_inff()" },
	};
	struct arena *arena = arena_new();

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_prints(expr_float(arena, cases[i].value, cases[i].type, cases[i].spelling), cases[i].expected);
	arena_free(arena);
}

static void test_names_are_unique(void **state)
{
	struct arena *arena = arena_new();
	struct nest *nest = nest_new(arena, "f"), *copy;

	(void)state;
	assert_string_equal(nest_add_var(nest, VAR_ITER, TYPE_I32, "i", 0, NULL)->name, "i");
	assert_string_equal(nest_add_var(nest, VAR_ITER, TYPE_I32, "i", 0, NULL)->name, "i0");
	assert_string_equal(nest_add_var(nest, VAR_ITER, TYPE_I32, "i", 0, NULL)->name, "i1");
	copy = nest_copy(nest);
	nest_add_var(copy, VAR_ITER, TYPE_I32, "j", 0, NULL);
	assert_null(nest_find_var(nest, "j"));
	assert_non_null(nest_find_var(copy, "j"));
	arena_free(arena);
}

static void test_copies_are_independent(void **state)
{
	struct arena *arena = arena_new();
	struct nest *nest = nest_parse(arena, "region f(f32 a[9])\nfor i in 0..9\n  S0: a[i] = 1.0f\n  S1: a[i] = 2.0f\n",
				       NULL);
	struct node *loop = nest->body.node[0], *shallow = node_copy(arena, loop), *deep = node_copy_deep(arena, loop);

	(void)state;
	list_remove(&shallow->body, 0);
	assert_int_equal(loop->body.n, 2);
	assert_ptr_equal(shallow->body.node[0], loop->body.node[1]);
	node_replace(arena, deep, loop->iter, expr_int(arena, 4, TYPE_I32));
	assert_prints(deep->body.node[0]->target, "a[4]");
	assert_prints(loop->body.node[0]->target, "a[i]");
	list_insert(arena, &shallow->body, 0, deep->body.node[0]);
	list_insert(arena, &shallow->body, 2, deep->body.node[1]);
	assert_int_equal(shallow->body.n, 3);
	assert_ptr_equal(shallow->body.node[1], loop->body.node[1]);
	arena_free(arena);
}

static void test_replacement_simplifies(void **state)
{
	struct arena *arena = arena_new();
	struct nest *nest = scalars(arena);
	struct expr *i = scalar(nest, "i"), *n = scalar(nest, "n");
	struct expr *sum = expr_binary(arena, OP_ADD, expr_binary(arena, OP_MUL, i, n), i);

	(void)state;
	assert_ptr_equal(expr_replace(arena, sum, nest_find_var(nest, "j"), n), sum);
	assert_prints(expr_replace(arena, sum, i->var, expr_int(arena, 1, TYPE_I32)), "n + 1");
	assert_prints(expr_replace(arena, sum, i->var, scalar(nest, "l")), "i32(l) * n + i32(l)");
	arena_free(arena);
}

static bool value_of(const struct var *var, int64_t *result, void *context)
{
	(void)context;
	*result = 7;
	return strcmp(var->name, "n") == 0;
}

static void test_evaluation(void **state)
{
	static const struct {
		const char *expr;
		bool is_known;
		int64_t value;
	} cases[] = {
		{ "n * 3 - 1", true, 20 },    { "n % 4", true, 3 },      { "floordiv(-n, 2)", true, -4 },
		{ "n / 0", false, 0 },        { "i + 1", false, 0 },     { "n < 0 && i", true, 0 },
		{ "n || i", true, 1 },        { "n ? 5 : i", true, 5 },  { "n * 1000000000", false, 0 },
		{ "i32(u8(n * 100))", true, 188 }, { "i32(i8(n * 100))", false, 0 }, { "i32(1.5)", false, 0 },
		{ "n << 3 ^ n", true, 63 },   { "min(n, 9) + max(n, 9)", true, 16 },
		{ "a[0]", false, 0 },         { "!n", true, 0 },         { "~n", true, -8 },
		{ "1.0 < 2.0", false, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct arena *arena = arena_new();
		struct nest *nest = nest_parse(arena, arena_printf(arena, "region f(i32 a[9]; i32 n, i)\nS0: a[0] = %s\n",
								   cases[i].expr), NULL);
		int64_t value;

		assert_non_null(nest);
		assert_int_equal(expr_evaluate(nest->body.node[0]->value, value_of, NULL, &value), cases[i].is_known);
		if (cases[i].is_known)
			assert_int_equal(value, cases[i].value);
		arena_free(arena);
	}
}

static bool count_node(struct node *node, void *context)
{
	(void)node;
	return --*(int *)context > 0;
}

static void test_paths_and_walks(void **state)
{
	struct arena *arena = arena_new();
	struct nest *nest = nest_parse(arena, "region f(f32 a[9])\nfor i in 0..9\n  if i < 4\n    S0: a[i] = 0.0f\n  else\n"
				       "    for j in 0..i\n      S1: a[j] = 0.0f\nS2: a[0] = 0.0f\n", NULL);
	struct node *i = nest->body.node[0], *condition = i->body.node[0], *j = condition->orelse.node[0], *loop[4];
	int limit = 100;

	(void)state;
	assert_int_equal(nest_path(nest, j->body.node[0], loop, 4), 2);
	assert_ptr_equal(loop[0], i);
	assert_ptr_equal(loop[1], j);
	assert_int_equal(nest_path(nest, condition->body.node[0], loop, 4), 1);
	assert_int_equal(nest_path(nest, nest->body.node[1], loop, 4), 0);
	assert_int_equal(nest_path(nest, node_copy(arena, i), loop, 4), -1);
	assert_true(list_walk(&nest->body, count_node, &limit));
	assert_int_equal(limit, 94);
	limit = 3;
	assert_false(list_walk(&nest->body, count_node, &limit));
	arena_free(arena);
}

/* Each nest is broken in one way by "spoil"; nest_check() must say so. */
static void spoil_label(struct nest *nest) { nest->n_label = 0; }
static void spoil_step(struct nest *nest) { nest->body.node[0]->step = 0; }
static void spoil_flag(struct nest *nest) { nest_find_var(nest, "a")->is_written = false; }
static void spoil_read(struct nest *nest) { nest_find_var(nest, "a")->is_read = false; }
static void spoil_name(struct nest *nest) { nest_find_var(nest, "n")->name = "a"; }
static void spoil_type(struct nest *nest) { nest->body.node[0]->body.node[0]->value->type = TYPE_F64; }
static void spoil_var(struct nest *nest) { nest->n_var--; }
static void spoil_target(struct nest *nest)
{
	nest->body.node[0]->body.node[0]->target = expr_scalar(nest->arena, nest_find_var(nest, "n"));
}
static void spoil_bound(struct nest *nest)
{
	nest->body.node[0]->hi = expr_scalar(nest->arena, nest->body.node[0]->iter);
}
static void spoil_nesting(struct nest *nest)
{
	list_add(nest->arena, &nest->body.node[0]->body, nest->body.node[0]->body.node[0]);
	nest->body.node[0]->body.node[0] = node_copy(nest->arena, nest->body.node[0]);
}
static void spoil_extent(struct nest *nest)
{
	nest_find_var(nest, "a")->extent[0] = expr_scalar(nest->arena, nest->body.node[0]->iter);
}
static void spoil_assumption(struct nest *nest)
{
	nest_assume(nest, nest->body.node[0]->body.node[0]->target);
}

static void test_check_finds_what_is_broken(void **state)
{
	static const struct {
		void (*spoil)(struct nest *nest);
		const char *sentence;
	} cases[] = {
		{ spoil_label, "a statement has the label 0 of 0" },
		{ spoil_step, "the loop i does not count upwards" },
		{ spoil_flag, "S0 writes a, which counts as not written" },
		{ spoil_read, "a is read, but counts as not read" },
		{ spoil_name, "two variables are called a" },
		{ spoil_type, "'+' has a type that is not its operands'" },
		{ spoil_var, "a loop has no iterator of the nest" },
		{ spoil_target, "S0 assigns to n, which is constant here" },
		{ spoil_bound, "i is used where it is not in scope" },
		{ spoil_nesting, "two loops around each other have the iterator i" },
		{ spoil_extent, "i is used where it is not in scope" },
		{ spoil_assumption, "i is used where it is not in scope" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct arena *arena = arena_new();
		struct diag diag = { 0 };
		struct nest *nest = nest_parse(arena, "region f(i32 a[n]; i32 n)\nfor i in 0..n\n  S0: a[i] = a[i] + 1\n",
					       NULL);

		assert_true(nest_check(nest, &diag));
		cases[i].spoil(nest);
		assert_false(nest_check(nest, &diag));
		assert_string_equal(diag.message, cases[i].sentence);
		arena_free(arena);
	}
}

static void key_of(const char *text, const char *mode, char key[33])
{
	struct arena *arena = arena_new();
	struct nest *nest = nest_parse(arena, text, NULL);

	assert_non_null(nest);
	nest_key(nest, mode, key);
	arena_free(arena);
}

static void test_key_ignores_names_only(void **state)
{
	static const struct {
		const char *text;
		bool is_same;
	} cases[] = {
		{ "region g(f32 q[m], f32 p[m] in; i32 m; f32 c)\n  where q: source \"l->q\", ctype \"real\"\n"
		  "for j in 0..m\n  S0: q[j] = c * p[j] + 0.50f\n", true },
		{ "region f(f32 x[n] in, f32 y[n]; i32 n, k; f32 a)\nfor i in 0..n\n  S0: y[i] = a * x[i] + 0.5f\n", true },
		{ "region f(f32 y[n], f32 x[n] in; i32 n; f32 a)\nfor i in 0..n\n  S0: y[i] = a * x[i] + 0.25f\n", false },
		{ "region f(f32 y[n], f32 x[n] in; i32 n; f32 a)\nfor i in 0..n\n  S0: y[i] = x[i] * a + 0.5f\n", false },
		{ "region f(f32 y[n], f32 x[n] in; i64 n; f32 a)\nfor i in 0..i32(n)\n  S0: y[i] = a * x[i] + 0.5f\n", false },
		{ "region f(f32 y[n], f32 x[n] in; i32 n; f32 a)\n  where y: object\nfor i in 0..n\n"
		  "  S0: y[i] = a * x[i] + 0.5f\n", false },
	};
	char key[33], other[33];

	(void)state;
	key_of("region f(f32 y[n], f32 x[n] in; i32 n; f32 a)\nfor i in 0..n\n  S0: y[i] = a * x[i] + 0.5f\n", "ordered", key);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		key_of(cases[i].text, "ordered", other);
		assert_int_equal(strcmp(key, other) == 0, cases[i].is_same);
		key_of(cases[i].text, "reassoc", other);
		assert_string_not_equal(key, other);
	}
}

/* Constructors and walks leave what they are given as it was. */
static void test_inputs_stay_unchanged(void **state)
{
	const struct nest_random_options options = { 3, 8, true };

	(void)state;
	for (uint64_t seed = 1; seed <= 50; seed++) {
		struct arena *arena = arena_new();
		struct text before = { 0 }, after = { 0 };
		struct nest *nest;
		struct rng rng;

		rng_seed(&rng, seed);
		nest = nest_random(arena, &rng, &options);
		nest_print(nest, &before);
		for (int i = 0; i < nest->body.n; i++)
			node_replace(arena, node_copy_deep(arena, nest->body.node[i]), nest_find_var(nest, "N"),
				     expr_int(arena, 3, TYPE_I32));
		nest_print(nest, &after);
		assert_string_equal(text_string(&before), text_string(&after));
		text_free(&before);
		text_free(&after);
		arena_free(arena);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_constants_fold),       cmocka_unit_test(test_simplification),
		cmocka_unit_test(test_floats_keep_value_and_spelling),
		cmocka_unit_test(test_names_are_unique),     cmocka_unit_test(test_copies_are_independent),
		cmocka_unit_test(test_replacement_simplifies), cmocka_unit_test(test_evaluation),
		cmocka_unit_test(test_paths_and_walks),      cmocka_unit_test(test_check_finds_what_is_broken),
		cmocka_unit_test(test_key_ignores_names_only), cmocka_unit_test(test_inputs_stay_unchanged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
