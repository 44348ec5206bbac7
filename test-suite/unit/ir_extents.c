/* The boxes of subscripts that a nest may touch: exact where real code needs it, and never too small. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ir/extents.h"
#include "support/rng.h"

#include "../support/nest_random.c"

/* Sizes for the tests: N = 10, M = 7, K = 4; nothing else is known. */
static bool size_value(const struct var *var, int64_t *result, void *context)
{
	static const struct {
		const char *name;
		int64_t value;
	} sizes[] = { { "N", 10 }, { "M", 7 }, { "K", 4 } };

	(void)context;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		if (strcmp(sizes[i].name, var->name) == 0) {
			*result = sizes[i].value;
			return true;
		}
	return false;
}

static void describe(const struct box *box, int rank, struct text *text)
{
	if (!box->is_touched)
		text_append(text, "untouched");
	for (int d = 0; box->is_touched && d < rank; d++)
		if (box->dim[d].is_known)
			text_printf(text, "%s%lld..%lld", d ? " " : "", (long long)box->dim[d].lo, (long long)box->dim[d].hi);
		else
			text_printf(text, "%s?", d ? " " : "");
}

static void test_boxes(void **state)
{
	static const struct {
		const char *nest, *box; /* of A */
	} cases[] = {
		{ "region f(f32 A[?]; i32 N)\nfor i in 0..N\n  S0: A[i + 1] = 0.0f\n", "1..10" },
		{ "region f(f32 A[?]; i32 N)\nfor i in 0..N step 4\n  S0: A[i] = 0.0f\n", "0..8" },
		{ "region f(f32 A[?]; i32 N)\nfor i in N..N\n  S0: A[i] = 0.0f\n", "untouched" },
		{ "region f(f32 A[?,N]; i32 N, M)\nfor i in 0..N\n  for j in 0..M\n    S0: A[N - 1 - i,j * 2] = 0.0f\n",
		  "0..9 0..12" },
		{ "region f(f32 A[?]; i32 N)\nfor i in 0..N\n  for j in i + 1..N\n    S0: A[j - i - 1] = 0.0f\n", "0..8" },
		{ "region f(f32 A[?]; i32 N)\nfor i in 0..N\n  for j in i + 1..N\n    S0: A[i + 1] = 0.0f\n", "1..9" },
		{ "region f(f32 A[?]; i32 N)\nfor i.1 in 0..N step 4\n  for i in i.1..min(N, i.1 + 4)\n    S0: A[i] = 0.0f\n",
		  "0..9" },
		{ "region f(f32 A[?]; i32 N)\nfor i.1 in 0..N step 4\n  for i in i.1..min(N, i.1 + 4)\n"
		  "    S0: A[i - i.1] = 0.0f\n",
		  "0..3" },
		{ "region f(f32 A[?]; i32 N, K)\nfor i in 0..N\n  for k in 0..K\n    if i + k - 2 >= 0 && i + k - 2 < N\n"
		  "      S0: A[i + k - 2] = 0.0f\n",
		  "0..9" },
		{ "region f(f32 A[?]; i32 N)\nfor i in 0..N\n  if i < 3\n    let t: f32 = 0.0f\n  else\n    S0: A[i] = 0.0f\n",
		  "3..9" },
		{ "region f(f32 A[?]; i32 N)\nfor i in 0..N\n  if i >= 20\n    S0: A[i] = 0.0f\n", "untouched" },
		{ "region f(f32 A[?] in, f32 B[?]; i32 N)\nfor i in 0..N\n  S0: B[i] = i > 0 ? A[i - 1] : 0.0f\n", "0..8" },
		{ "region f(f32 A[?] in, f32 B[?]; i32 N)\nfor i in 0..N\n  if i == 0 || A[i - 1] > 0.0f\n"
		  "    S0: B[i] = 0.0f\n",
		  "0..8" },
		{ "region f(i32 A[?], u8 B[?] in; i32 N)\nfor i in 0..N\n  S0: A[B[i]] += 1\n", "0..255" },
		{ "region f(i32 A[?], i32 B[?] in; i32 N)\nfor i in 0..N\n  S0: A[B[i]] += 1\n", "?" },
		{ "region f(i32 A[?], i32 B[?] in; i32 N)\nfor i in 0..N\n  S0: A[B[i] & 15] += 1\n", "0..15" },
		{ "region f(i32 A[?]; i32 N)\nfor i in 0..N\n  S0: A[i % 3] += 1\n", "0..2" },
		{ "region f(i32 A[?]; i32 N)\nfor i in 0..N\n  S0: A[i / 2] += 1\n", "0..4" },
		{ "region f(i32 A[?]; i32 N, unknown)\nfor i in 0..N\n  S0: A[i + unknown] += 1\n", "?" },
		{ "region f(i32 A[?]; i32 N, M)\nfor i in 0..N\n  let o: i32 = i * M\n  for j in 0..M\n    S0: A[o + j] += 1\n",
		  "0..69" },
		{ "region f(i32 A[?]; i32 N)\nlet o: i32 = 0\nfor i in 0..N\n  S0: A[o] += 1\n  S1: o += 2\n", "?" },
		{ "region f(i32 A[?]; i64 N; i32 M)\nfor i: i64 in 0..N\n  for j in 0..M\n    S0: A[i + i64(j)] += 1\n",
		  "0..15" },
		{ "region f(i32 A[?]; u64 N)\nfor i: u64 in 0..N\n  if i - 1 < 4\n    S0: A[i] += 1\n", "0..9" },
		{ "region f(i32 A[?]; i32 N)\nfor i in 0..N\n  for j in max(0, i - 2)..min(N, i + 3)\n    S0: A[j - i + 2] += 1\n",
		  "0..4" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct arena *arena = arena_new();
		struct diag diag = { 0 };
		struct nest *nest = nest_parse(arena, cases[i].nest, &diag);
		struct text text = { 0 };

		if (!nest)
			fail_msg("%s in:\n%s", diag.message, cases[i].nest);
		describe(nest_extents(arena, nest, size_value, NULL), nest_find_var(nest, "A")->rank, &text);
		if (strcmp(text_string(&text), cases[i].box) != 0)
			fail_msg("%s, not %s, of:\n%s", text_string(&text), cases[i].box, cases[i].nest);
		text_free(&text);
		arena_free(arena);
	}
}

/* A run of a nest that takes both ways where a condition depends on data, and notes the boxes that were touched. */
struct run {
	const struct nest *nest;
	struct box *box, *touched;
	const struct text *text;
	int64_t value[64];
	bool is_set[64];
};

static int index_of(const struct nest *nest, const struct var *var)
{
	int i = 0;

	while (nest->var[i] != var)
		i++;
	return i;
}

static bool run_value(const struct var *var, int64_t *result, void *context)
{
	struct run *run = context;
	int index = index_of(run->nest, var);

	*result = run->value[index];
	return run->is_set[index];
}

/* Whether "cond" may be true (or false) now, its data being anything. */
static bool may_be(struct run *run, const struct expr *cond, bool truth)
{
	int64_t value;

	if (cond->kind == EXPR_OP && (cond->op == OP_LAND || cond->op == OP_LOR)) {
		bool left = may_be(run, cond->arg[0], truth), right = may_be(run, cond->arg[1], truth);

		return truth == (cond->op == OP_LAND) ? left && right : left || right;
	}
	return !expr_evaluate(cond, run_value, run, &value) || (value != 0) == truth;
}

static void note_access(struct run *run, const struct expr *ref)
{
	int index = index_of(run->nest, ref->var);
	int64_t subscript;

	run->touched[index].is_touched = true;
	for (int d = 0; d < ref->n; d++) {
		const struct interval *dim = &run->box[index].dim[d];

		if (!expr_evaluate(ref->arg[d], run_value, run, &subscript))
			assert_false(dim->is_known);
		else if (dim->is_known && (subscript < dim->lo || subscript > dim->hi))
			fail_msg("%s[%lld] lies outside %lld..%lld in:\n%s", ref->var->name, (long long)subscript,
				 (long long)dim->lo, (long long)dim->hi, text_string(run->text));
	}
}

static void note(struct run *run, const struct expr *expr)
{
	bool is_logic = expr->kind == EXPR_OP && (expr->op == OP_LAND || expr->op == OP_LOR);

	for (int i = 0; i < expr->n; i++) {
		if (expr->kind == EXPR_SELECT && i > 0 && !may_be(run, expr->arg[0], i == 1))
			continue;
		if (is_logic && i == 1 && !may_be(run, expr->arg[0], expr->op == OP_LAND))
			continue;
		note(run, expr->arg[i]);
	}
	if (expr->kind == EXPR_REF && expr->n)
		note_access(run, expr);
}

static bool note_root(struct expr *expr, void *context)
{
	note(context, expr);
	return true;
}

static void run_list(struct run *run, const struct list *list)
{
	for (int i = 0; i < list->n; i++) {
		struct node *node = list->node[i];
		int64_t lo, hi = 0;

		node_exprs(node, note_root, run);
		if (node->kind == NODE_IF) {
			if (may_be(run, node->cond, true))
				run_list(run, &node->body);
			if (may_be(run, node->cond, false))
				run_list(run, &node->orelse);
		}
		if (node->kind != NODE_LOOP)
			continue;
		assert_true(expr_evaluate(node->lo, run_value, run, &lo));
		assert_true(expr_evaluate(node->hi, run_value, run, &hi));
		run->is_set[index_of(run->nest, node->iter)] = true;
		for (; lo < hi; lo += node->step) {
			run->value[index_of(run->nest, node->iter)] = lo;
			run_list(run, &node->body);
		}
		run->is_set[index_of(run->nest, node->iter)] = false;
	}
}

static void test_boxes_of_random_nests_hold(void **state)
{
	const struct nest_random_options options = { 3, 10, false };

	(void)state;
	for (uint64_t seed = 1; seed <= 300; seed++) {
		struct arena *arena = arena_new();
		struct rng rng;
		struct text text = { 0 };
		struct run run = { 0 };

		rng_seed(&rng, seed);
		run.nest = nest_random(arena, &rng, &options);
		assert_true(run.nest->n_var <= 64);
		run.box = nest_extents(arena, run.nest, size_value, NULL);
		run.touched = ARENA_ARRAY(arena, struct box, run.nest->n_var);
		for (int i = 0; i < run.nest->n_var; i++)
			run.is_set[i] = size_value(run.nest->var[i], &run.value[i], NULL);
		run.text = &text;
		nest_print(run.nest, &text);
		run_list(&run, &run.nest->body);
		for (int i = 0; i < run.nest->n_var; i++)
			assert_true(run.box[i].is_touched || !run.touched[i].is_touched);
		text_free(&text);
		arena_free(arena);
	}
}

static struct interval interval_value(const struct var *var, void *context)
{
	(void)context;
	return strcmp(var->name, "x") == 0 ? interval_of(-3, 5)
	       : strcmp(var->name, "n") == 0 ? interval_of(2, 4)
					     : interval_unknown();
}

static void test_intervals(void **state)
{
	static const struct {
		const char *expr;
		bool is_known;
		int64_t lo, hi;
	} cases[] = {
		{ "x + n", true, -1, 9 },         { "x - n", true, -7, 3 },
		{ "x * n", true, -12, 20 },       { "x * x", true, -15, 25 },
		{ "x / n", true, -1, 2 },         { "floordiv(x, 2)", true, -2, 2 },
		{ "x % n", true, -3, 3 },         { "n % 8", true, 2, 4 },
		{ "n << 2", true, 8, 16 },        { "-x", true, -5, 3 },
		{ "~x", true, -6, 2 },            { "!x", true, 0, 1 },
		{ "n < 5", true, 1, 1 },          { "x < n", true, 0, 1 },
		{ "min(x, n)", true, -3, 4 },     { "max(x, n)", true, 2, 5 },
		{ "n > 1 ? x : 100", true, -3, 5 }, { "x > 1 ? x : 100", true, -3, 100 },
		{ "u + 1", false, 0, 0 },         { "u & 7", true, 0, 7 },
		{ "u % 7", true, -6, 6 },         { "n * 2000000000", false, 0, 0 },
		{ "i32(u8(u))", true, 0, 255 },   { "i32(u8(n))", true, 2, 4 },
		{ "x / x", false, 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct arena *arena = arena_new();
		struct diag diag = { 0 };
		struct nest *nest = nest_parse(arena, arena_printf(arena, "region f(i32 a[1]; i32 x, n, u)\nS0: a[0] = %s\n",
								   cases[i].expr), &diag);
		struct interval interval;

		assert_string_equal(diag.message, "");
		interval = expr_interval(nest->body.node[0]->value, interval_value, NULL);
		if (interval.is_known != cases[i].is_known ||
		    (interval.is_known && (interval.lo != cases[i].lo || interval.hi != cases[i].hi)))
			fail_msg("%s: %d %lld..%lld", cases[i].expr, interval.is_known, (long long)interval.lo,
				 (long long)interval.hi);
		arena_free(arena);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_intervals),
		cmocka_unit_test(test_boxes),
		cmocka_unit_test(test_boxes_of_random_nests_hold),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
