/* Direction vectors of small nests, and the linear forms and reductions that they are computed from. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ir/nest.h"
#include "rewrite/affine.h"
#include "rewrite/fp.h"
#include "rewrite/reduction.h"
#include "rewrite/validate.h"

/* "vectors": one per line, sorted: S0 -> S1 A (=, <, *) and "reduction"; NULL when they need only cover what happens. */
struct expected {
	const char *name, *nest, *vectors;
};

static struct nest *parse(struct arena *arena, const char *text)
{
	struct diag diag = { 0 };
	struct nest *nest = nest_parse(arena, text, &diag);

	if (!nest)
		fail_msg("%s in:\n%s", diag.message, text);
	return nest;
}

static const char *vector_text(struct arena *arena, const struct dependence_vector *vector)
{
	static const char *const sign[] = { "none", "=", "<", "<=", ">", ">=", "<>", "*" };
	const char *text = arena_printf(arena, "S%d -> S%d %s (", vector->from, vector->to, vector->var->name);

	for (int i = 0; i < vector->n; i++)
		text = arena_printf(arena, "%s%s%s", text, i ? ", " : "", sign[vector->direction[i]]);
	return arena_printf(arena, "%s)%s\n", text, vector->is_reduction ? " reduction" : "");
}

static int text_compare(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static const char *vectors_text(struct arena *arena, const struct nest *nest)
{
	struct diag diag = { 0 };
	struct dependences *dependences = dependences_new(nest, FP_ORDERED, &diag);
	const struct dependence_vector *vector;
	const char **line, *text = "";
	int n;

	assert_non_null(dependences);
	n = dependences_vectors(dependences, &vector);
	line = ARENA_ARRAY(arena, const char *, n + 1);
	for (int i = 0; i < n; i++)
		line[i] = vector_text(arena, vector + i);
	qsort(line, n, sizeof(*line), text_compare);
	for (int i = 0; i < n; i++)
		if (!i || strcmp(line[i], line[i - 1]))
			text = arena_printf(arena, "%s%s", text, line[i]);
	dependences_free(dependences);
	return text;
}

static const struct expected cases[] = {
	{ "gemm",
	  "region gemm(f64 C[M,N], f64 A[M,K] in, f64 B[K,N] in; i32 M, N, K)\n"
	  "for i in 0..M\n  for j in 0..N\n    S0: C[i,j] *= 2.0\n    for k in 0..K\n"
	  "      S1: C[i,j] += A[i,k] * B[k,j]\n",
	  "S0 -> S1 C (=, =)\nS1 -> S1 C (=, =, <) reduction\n" },
	{ "a stencil in place",
	  "region seidel(f64 A[n]; i32 T, n)\n"
	  "for t in 0..T\n  for i in 1..n - 1\n    S0: A[i] = A[i - 1] + A[i + 1]\n",
	  "S0 -> S0 A (<, <)\nS0 -> S0 A (<, =)\nS0 -> S0 A (<, >)\nS0 -> S0 A (=, <)\n" },
	{ "the even and the odd",
	  "region parity(f64 A[n]; i32 n)\nfor i in 0..n\n  S0: A[2 * i] = A[2 * i + 1]\n", "" },
	{ "scattered",
	  "region scatter(f64 A[n], i32 p[n] in; i32 n)\nfor i in 0..n\n  S0: A[p[i]] = 1.0\n",
	  "S0 -> S0 A (<)\n" },
	{ "a temporary of each iteration",
	  "region temporary(f64 A[n]; i32 n)\nfor i in 0..n\n  S0: let t: f64 = A[i]\n  S1: A[i] = t * t\n",
	  "S0 -> S1 A (=)\nS0 -> S1 t (=)\n" },
	{ "a temporary of the region",
	  "region temporary(f64 A[n]; i32 n; f64 t temp)\nfor i in 0..n\n  S0: t = A[i]\n  S1: A[i] = t * t\n",
	  "S0 -> S0 t (<)\nS0 -> S1 A (=)\nS0 -> S1 t (<)\nS0 -> S1 t (=)\nS1 -> S0 t (<)\n" },
	{ "a condition on data",
	  "region guarded(f64 A[n], f64 B[n]; i32 n)\nfor i in 1..n\n  if A[i - 1] > 0.0\n    S0: A[i] = B[i]\n",
	  "S0 -> S0 A (<)\n" },
	{ "strides that never meet",
	  "region strides(f64 A[n]; i32 n)\nfor i in 0..n step 2\n  S0: A[i] = A[i + 1]\n", "" },
	{ "triangles that meet on the diagonal",
	  "region triangles(f64 A[n,n]; i32 n)\nfor i in 0..n\n  for j in 0..i + 1\n    S0: A[i,j] = A[j,i]\n",
	  "" },
	{ "rows of a flattened matrix",
	  "region rows(f64 A[?]; i32 n, m)\nfor i in 0..m\n  for j in 1..n\n    S0: A[i * n + j] = A[i * n + j - 1]\n",
	  "S0 -> S0 A (=, <)\n" },
	{ "rows of a flattened matrix that reach into the next",
	  "region rows(f64 A[?]; i32 n, m)\nfor i in 0..m\n  for j in 0..n\n    S0: A[i * n + j] = A[i * n + j - 1]\n",
	  "S0 -> S0 A (<, >=)\nS0 -> S0 A (=, <)\n" },
	{ "heads side by side, at an offset",
	  "region heads(f64 A[?], f64 x[n] in; i32 n, m, C)\nfor h in 0..m\n  for k in 0..3\n    for i in 0..n\n"
	  "      S0: A[i64(h) * i64(n) + i64(i) + 2 * i64(C)] += x[k]\n",
	  "S0 -> S0 A (=, <, =) reduction\n" },
	{ "heads of two parts of a row",
	  "region parts(f64 A[?]; i32 n, m, C)\n  assume i64(C) >= i64(m) * i64(n)\nfor h in 0..m\n  for i in 0..n\n"
	  "    S0: A[h * n + i + C] = A[h * n + i]\n",
	  "" },
	{ "rows and planes",
	  "region planes(f64 A[?]; i32 n, m)\nfor i in 0..m\n  for j in 0..m\n    for k in 0..n\n"
	  "      S0: A[(i * m + j) * n + k] *= 2.0\n",
	  "S0 -> S0 A (<, *, *) reduction\n" },
	{ "backwards through a flattened matrix",
	  "region back(f64 A[?]; i32 n, m)\nfor i in 0..m\n  for j in 0..n\n    S0: A[(m - 1 - i) * n + j] = A[j * m + i]\n",
	  NULL },
	{ "two loops over one flattened matrix",
	  "region two(f64 A[?]; i32 n, m)\nfor i in 0..m\n  for j in 0..n\n    S0: A[i * n + j] = 1.0\n"
	  "for i in 0..m\n  for j in 0..n\n    S1: A[i * n + j + 1] = 2.0\n",
	  NULL },
	{ "a negative factor",
	  "region negative(f64 A[?]; i32 n, m)\nfor i in 0..m\n  for j in 0..n\n    S0: A[j - i * (n - 2) + 7] = A[j - i * (n - 2)]\n",
	  NULL },
	{ "any direction inside",
	  "region any(f64 A[n,n], f64 s[1]; i32 n)\nfor i in 0..n\n  for j in 0..n\n    S0: s[0] = A[i,j] * s[0]\n",
	  "S0 -> S0 s (<, *) reduction\nS0 -> S0 s (=, <) reduction\n" },
	{ "not before the diagonal",
	  "region lower(f64 A[n,n], f64 x[n]; i32 n)\nfor i in 0..n\n  for j in 0..i + 1\n    S0: A[i,j] = x[j]\n"
	  "    S1: x[i] = A[i,j]\n",
	  "S0 -> S1 A (=, =)\nS0 -> S1 x (=, =)\nS1 -> S0 x (<, <=)\nS1 -> S0 x (=, <)\n"
	  "S1 -> S1 x (=, <)\n" },
	{ "a product of params",
	  "region flat(f64 A[n]; i32 T, C, n)\nfor i in 0..T * C\n  S0: A[i + T * C] = A[i]\n", "" },
};

static void test_vectors(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct arena *arena = arena_new();
		const char *text = vectors_text(arena, parse(arena, cases[i].nest));

		if (cases[i].vectors && strcmp(text, cases[i].vectors))
			fail_msg("%s: got\n%s", cases[i].name, text);
		assert_string_equal(text, vectors_text(arena, parse(arena, cases[i].nest)));
		arena_free(arena);
	}
}

/* ---- each conflict that happens is in some vector ---- */

enum { SIZES = 4, TOUCHES = 4096, LOOPS = 4, SUBSCRIPTS = 4 };

/* One access of a run: by statement "label" within "loop" at iteration "iter". */
struct touch {
	int label, n_loop, rank;
	const struct node *loop[LOOPS];
	int64_t iter[LOOPS], subscript[SUBSCRIPTS];
	const struct var *var;
	bool is_write;
};

/* A run of a nest that notes its accesses, for one choice of params. */
struct run {
	const struct nest *nest;
	int64_t param[8];
	int n_loop, n;
	const struct node *loop[LOOPS];
	int64_t iter[LOOPS];
	const struct node *stmt;
	struct touch touch[TOUCHES];
};

static bool run_value(const struct var *var, int64_t *result, void *context)
{
	const struct run *run = context;
	int number = 0;

	for (int i = 0; i < run->n_loop; i++)
		if (run->loop[i]->iter == var) {
			*result = run->iter[i];
			return true;
		}
	for (int i = 0; i < run->nest->n_var && var->kind == VAR_PARAM; i++) {
		if (run->nest->var[i] == var) {
			*result = run->param[number % 8];
			return true;
		}
		number += run->nest->var[i]->kind == VAR_PARAM;
	}
	return false;
}

static int64_t run_number(struct run *run, const struct expr *expr)
{
	int64_t value = 0;

	assert_true(expr_evaluate(expr, run_value, run, &value));
	return value;
}

/* Note an access, unless it is to a local or through a subscript that reads memory. */
static void run_touch(struct run *run, const struct expr *ref, bool is_write)
{
	struct touch *touch = run->touch + run->n;

	assert_true(run->n < TOUCHES);
	if (ref->var->kind != VAR_ARRAY && ref->var->kind != VAR_SCALAR)
		return;
	*touch = (struct touch){ .label = run->stmt->label, .n_loop = run->n_loop, .rank = ref->n, .var = ref->var,
				 .is_write = is_write };
	memcpy(touch->loop, run->loop, sizeof(run->loop));
	memcpy(touch->iter, run->iter, sizeof(run->iter));
	for (int i = 0; i < ref->n; i++)
		if (!expr_evaluate(ref->arg[i], run_value, run, touch->subscript + i))
			return;
	run->n++;
}

static bool run_read(struct expr *expr, void *context)
{
	if (expr->kind == EXPR_REF)
		run_touch(context, expr, false);
	return true;
}

static void run_list(struct run *run, const struct list *list)
{
	for (int i = 0; i < list->n; i++) {
		const struct node *node = list->node[i];

		if (node->kind == NODE_STMT) {
			run->stmt = node;
			expr_walk(node->value, run_read, run);
			if (node->op != OP_NONE)
				run_touch(run, node->target, false);
			run_touch(run, node->target, true);
		} else if (node->kind == NODE_IF) {
			run_list(run, &node->body);
		} else {
			const int64_t lo = run_number(run, node->lo), hi = run_number(run, node->hi);
			const int at = run->n_loop++;

			run->loop[at] = node;
			for (run->iter[at] = lo; run->iter[at] < hi; run->iter[at] += node->step)
				run_list(run, &node->body);
			run->n_loop--;
		}
	}
}

static bool is_conflict(const struct touch *a, const struct touch *b)
{
	return a->var == b->var && (a->is_write || b->is_write) &&
	       !memcmp(a->subscript, b->subscript, sizeof(*a->subscript) * (size_t)a->rank);
}

/* Whether "vector" speaks of the conflict from "a" to the later "b". */
static bool is_covered_by(const struct touch *a, const struct touch *b, const struct dependence_vector *vector)
{
	if (vector->from != a->label || vector->to != b->label || vector->var != a->var)
		return false;
	for (int i = 0; i < vector->n; i++) {
		const unsigned direction = a->iter[i] < b->iter[i]  ? DIRECTION_LESS
					   : a->iter[i] > b->iter[i] ? DIRECTION_GREATER
								     : DIRECTION_EQUAL;

		if (!(vector->direction[i] & direction))
			return false;
	}
	return true;
}

static bool is_same_instance(const struct touch *a, const struct touch *b)
{
	return a->label == b->label && !memcmp(a->iter, b->iter, sizeof(*a->iter) * (size_t)a->n_loop);
}

static void check_run(const struct run *run, int n, const struct dependence_vector *vector, const char *name)
{
	for (int i = 0; i < run->n; i++)
		for (int j = i + 1; j < run->n; j++) {
			const struct touch *a = run->touch + i, *b = run->touch + j;
			int k = 0;

			if (!is_conflict(a, b) || is_same_instance(a, b))
				continue;
			while (k < n && !is_covered_by(a, b, vector + k))
				k++;
			if (k == n)
				fail_msg("%s: S%d and S%d meet in %s, with params %d %d %d", name, a->label, b->label,
					 a->var->name, (int)run->param[0], (int)run->param[1], (int)run->param[2]);
		}
}

static bool assumptions_hold(struct run *run)
{
	for (int i = 0; i < run->nest->n_assumption; i++)
		if (!run_number(run, run->nest->assumption[i]))
			return false;
	return true;
}

static void check_all_runs(const struct nest *nest, const char *name)
{
	struct run *run = malloc(sizeof(*run));
	struct diag diag = { 0 };
	struct dependences *dependences = dependences_new(nest, FP_ORDERED, &diag);
	const struct dependence_vector *vector;
	int n;

	assert_non_null(dependences);
	n = dependences_vectors(dependences, &vector);
	for (int choice = 0; choice < SIZES * SIZES * SIZES; choice++) {
		*run = (struct run){ .nest = nest };
		for (int i = 0, rest = choice; i < 8; i++, rest /= SIZES)
			run->param[i] = 1 + rest % SIZES;
		if (!assumptions_hold(run))
			continue;
		run_list(run, &nest->body);
		check_run(run, n, vector, name);
	}
	dependences_free(dependences);
	free(run);
}

static void test_vectors_cover_runs(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct arena *arena = arena_new();

		check_all_runs(parse(arena, cases[i].nest), cases[i].name);
		arena_free(arena);
	}
}

/* The only statement at or below the first node of a nest. */
static const struct node *only_stmt(const struct nest *nest)
{
	const struct node *node = nest->body.node[0];

	while (node->kind != NODE_STMT)
		node = node->body.node[0];
	return node;
}

static void test_reductions(void **state)
{
	static const struct {
		const char *stmt;
		enum op op;
	} cases[] = {
		{ "s += x[i]", OP_ADD },
		{ "s -= x[i]", OP_ADD },
		{ "s *= x[i]", OP_MUL },
		{ "s /= x[i]", OP_MUL },
		{ "s = s + x[i]", OP_ADD },
		{ "s = x[i] + s", OP_ADD },
		{ "s = s - x[i]", OP_ADD },
		{ "s = x[i] - s", OP_NONE },
		{ "s = s + s", OP_NONE },
		{ "s += s", OP_NONE },
		{ "s = s + x[i] * s", OP_NONE },
		{ "s = x[i]", OP_NONE },
		{ "s = f64:fmax(s, x[i])", OP_MAX },
		{ "s = f64:fmin(x[i], s)", OP_MIN },
		{ "s = x[i] > s ? x[i] : s", OP_MAX },
		{ "s = s > x[i] ? s : x[i]", OP_MAX },
		{ "s = x[i] < s ? x[i] : s", OP_MIN },
		{ "s = s < x[i] ? x[i] : s", OP_MAX },
		{ "s = s < x[i] ? s : x[i]", OP_MIN },
		{ "s = x[i] > 0.0 ? x[i] : s", OP_NONE },
		{ "k /= z[i]", OP_NONE },
		{ "k ^= z[i]", OP_XOR },
		{ "k <<= z[i]", OP_NONE },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct arena *arena = arena_new();
		const char *text = arena_printf(arena,
						"region r(f64 x[n] in, i32 z[n] in; i32 n; f64 s inout; i32 k inout)\n"
						"for i in 0..n\n  S0: %s\n",
						cases[i].stmt);

		if (reduction_op(only_stmt(parse(arena, text)), NULL) != cases[i].op)
			fail_msg("%s", cases[i].stmt);
		arena_free(arena);
	}
}

static void test_reordering(void **state)
{
	(void)state;
	assert_true(reduction_may_reorder(OP_ADD, TYPE_F32, FP_REASSOC));
	assert_false(reduction_may_reorder(OP_ADD, TYPE_F32, FP_ORDERED));
	assert_false(reduction_may_reorder(OP_MAX, TYPE_F64, FP_EXACT));
	assert_true(reduction_may_reorder(OP_MAX, TYPE_I32, FP_ORDERED));
	assert_true(reduction_may_reorder(OP_ADD, TYPE_U64, FP_ORDERED));
	assert_false(reduction_may_reorder(OP_ADD, TYPE_I64, FP_ORDERED));
	assert_false(reduction_may_reorder(OP_NONE, TYPE_U64, FP_REASSOC));
}

static const struct affine *resolve(const struct var *var, void *context)
{
	return var->kind == VAR_ITER ? affine_dim(context, var->name[0] - 'i') : NULL;
}

static const char *form_text(struct arena *arena, const struct affine *form)
{
	const char *text = "";

	if (!form)
		return "none";
	for (int i = 0; i < form->n; i++) {
		const struct affine_term *term = form->term + i;
		const char *symbol = term->dim < 0 ? term->param : arena_printf(arena, "%c", 'i' + term->dim);

		text = arena_printf(arena, "%s%lld %s + ", text, (long long)term->coefficient, symbol);
	}
	return arena_printf(arena, "%s%lld", text, (long long)form->constant);
}

static void test_forms(void **state)
{
	static const struct {
		const char *subscript, *form;
	} cases[] = {
		{ "i + j + i - 3", "2 i + 1 j + -3" },
		{ "2 * (i - j) + 2 * j", "2 i + 0" },
		{ "(n + 1) * (m - 1)", "1 m + 1 m*n + -1 n + -1" },
		{ "m * n - n * m", "0" },
		{ "i * n", "none" },
		{ "i * j", "none" },
		{ "i << 3", "8 i + 0" },
		{ "floordiv(n, 4)", "none" },
		{ "z[i]", "none" },
		{ "(n / m) * 2 + i", "none" },
		{ "4611686018427387904 * i * 4", "none" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct arena *arena = arena_new();
		const struct affine_env env = { .arena = arena, .resolve = resolve, .context = arena };
		const char *text = arena_printf(arena,
						"region r(f64 x[n], i64 z[n] in; i64 n, m)\n"
						"for i: i64 in 0..n\n  for j: i64 in 0..n\n    S0: x[%s] = 0.0\n",
						cases[i].subscript);
		const struct expr *subscript = only_stmt(parse(arena, text))->target->arg[0];

		assert_string_equal(form_text(arena, affine_from_expr(&env, subscript)), cases[i].form);
		arena_free(arena);
	}
}

static void test_kept_order(void **state)
{
	static const struct {
		const char *body;
		bool in_ordered;
	} cases[] = {
		{ "S0: x[0] += y[i]", true },
		{ "S0: x[0] = x[0] + y[i]", true },
		{ "S0: x[i] += y[i]", false },
		{ "S0: x[i] = y[i]", false },
		{ "S0: z[0] += z[i + 1]", false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct arena *arena = arena_new();
		const struct nest *nest =
			parse(arena, arena_printf(arena, "region r(f64 x[n], f64 y[n] in, u32 z[n + 1]; i64 n)\n"
							 "for i: i64 in 0..n\n  %s\n",
						  cases[i].body));

		assert_int_equal(reduction_is_kept(nest, FP_ORDERED), cases[i].in_ordered);
		assert_false(reduction_is_kept(nest, FP_REASSOC));
		arena_free(arena);
	}
}

static void test_modes(void **state)
{
	enum fp_mode unchanged = FP_EXACT;

	(void)state;
	for (enum fp_mode mode = 0; mode < FP_MODE_COUNT; mode++) {
		enum fp_mode found;

		assert_true(fp_mode_find(fp_mode_name(mode), &found));
		assert_int_equal(found, mode);
	}
	assert_false(fp_mode_find("quick", &unchanged));
	assert_int_equal(unchanged, FP_EXACT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_vectors),
		cmocka_unit_test(test_vectors_cover_runs),
		cmocka_unit_test(test_reductions),
		cmocka_unit_test(test_reordering),
		cmocka_unit_test(test_forms),
		cmocka_unit_test(test_kept_order),
		cmocka_unit_test(test_modes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
