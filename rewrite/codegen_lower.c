#include "codegen_internal.h"

#include <stdlib.h>

/* Most statements that may come of unrolled loops, most copies, most lane loops side by side; and most statements that are
 * written out: where there would be more, the loops stay, and the compiler is asked to unroll them. */
enum { STATEMENTS_MAX = 512, TRIPS_MAX = 64, LANE_LOOPS_MAX = 16, WRITTEN_MAX = 4 };

/* ---- renaming ---- */

static struct expr *rename_expr(struct arena *arena, struct expr *expr, const struct var *from, struct var *to)
{
	struct expr *copy;

	if (!expr || !expr_uses(expr, from))
		return expr;
	copy = ARENA_NEW(arena, struct expr);
	*copy = *expr;
	copy->arg = ARENA_ARRAY(arena, struct expr *, expr->n);
	for (int i = 0; i < expr->n; i++)
		copy->arg[i] = rename_expr(arena, expr->arg[i], from, to);
	if (copy->kind == EXPR_REF && copy->var == from)
		copy->var = to;
	return copy;
}

void list_rename(struct arena *arena, struct list *list, const struct var *from, struct var *to)
{
	for (int i = 0; i < list->n; i++) {
		struct node *node = list->node[i];

		node->lo = rename_expr(arena, node->lo, from, to);
		node->hi = rename_expr(arena, node->hi, from, to);
		node->cond = rename_expr(arena, node->cond, from, to);
		node->target = rename_expr(arena, node->target, from, to);
		node->value = rename_expr(arena, node->value, from, to);
		list_rename(arena, &node->body, from, to);
		list_rename(arena, &node->orelse, from, to);
	}
}

struct declared {
	int n;
	struct var *var[STATEMENTS_MAX];
};

static bool find_declared(struct node *node, void *context)
{
	struct declared *declared = context;

	if (node->kind == NODE_STMT && node->declares && declared->n < STATEMENTS_MAX)
		declared->var[declared->n++] = node->target->var;
	return true;
}

void list_own_locals(struct codegen *cg, struct list *list, bool arrays_only)
{
	struct declared *declared = ARENA_NEW(cg->arena, struct declared);

	list_walk(list, find_declared, declared);
	for (int i = 0; i < declared->n; i++) {
		struct var *from = declared->var[i];
		struct var *to;

		if (arrays_only && from->rank == 0)
			continue;
		to = nest_add_var(cg->nest, VAR_LOCAL, from->type, from->name, from->rank, from->extent);
		to->ctype = from->ctype;
		list_rename(cg->arena, list, from, to);
	}
}

struct list list_copy_deep(struct arena *arena, const struct list *list)
{
	struct list copy = { 0 };

	for (int i = 0; i < list->n; i++)
		list_add(arena, &copy, node_copy_deep(arena, list->node[i]));
	return copy;
}

/* ---- simplification ---- */

/* "expr" with its subscripts in normal form. */
static struct expr *simplify_subscripts(struct arena *arena, struct expr *expr)
{
	struct expr *copy;

	if (!expr || expr->n == 0)
		return expr;
	copy = ARENA_NEW(arena, struct expr);
	*copy = *expr;
	copy->arg = ARENA_ARRAY(arena, struct expr *, expr->n);
	for (int i = 0; i < expr->n; i++)
		copy->arg[i] = expr->kind == EXPR_REF ? expr_simplify(arena, expr->arg[i])
						      : simplify_subscripts(arena, expr->arg[i]);
	return copy;
}

void list_simplify(struct arena *arena, struct list *list)
{
	for (int i = 0; i < list->n; i++) {
		struct node *node = list->node[i];

		if (node->kind == NODE_LOOP) {
			node->lo = expr_simplify(arena, node->lo);
			node->hi = expr_simplify(arena, node->hi);
		}
		node->cond = simplify_subscripts(arena, node->cond);
		node->target = simplify_subscripts(arena, node->target);
		node->value = simplify_subscripts(arena, node->value);
		list_simplify(arena, &node->body);
		list_simplify(arena, &node->orelse);
	}
}

bool loop_trips(struct arena *arena, const struct node *loop, int64_t *trips)
{
	int64_t length;

	if (!expr_difference(arena, loop->hi, loop->lo, &length))
		return false;
	*trips = length <= 0 ? 0 : (length + loop->step - 1) / loop->step;
	return true;
}

/* ---- writing out ---- */

static bool count_statement(struct node *node, void *context)
{
	int *n = context;

	*n += node->kind == NODE_STMT;
	return true;
}

static int statement_count(const struct list *list)
{
	int n = 0;

	list_walk(list, count_statement, &n);
	return n;
}

static struct expr *offset_expr(struct arena *arena, struct expr *expr, int64_t offset)
{
	return expr_simplify(arena, expr_binary(arena, OP_ADD, expr, expr_int(arena, offset, expr->type)));
}

/* Append to "out" a copy of "body" in which "iter" is "by"; copies after the first have locals of their own. */
static void add_copy(struct codegen *cg, struct list *out, const struct list *body, const struct var *iter, struct expr *by,
		     bool is_first)
{
	struct list copy = list_copy_deep(cg->arena, body);

	if (!is_first)
		list_own_locals(cg, &copy, false);
	for (int i = 0; i < copy.n; i++)
		node_replace(cg->arena, copy.node[i], iter, by);
	list_simplify(cg->arena, &copy);
	for (int i = 0; i < copy.n; i++)
		list_add(cg->arena, out, copy.node[i]);
}

/* The body of "loop" for "n" iterations from "first" on, written out. */
static void add_copies(struct codegen *cg, struct list *out, const struct node *loop, struct expr *first, int64_t n)
{
	for (int64_t i = 0; i < n; i++)
		add_copy(cg, out, &loop->body, loop->iter, offset_expr(cg->arena, first, i * loop->step), i == 0);
}

/* "n" lane loops with the body of "loop", side by side, from "first" on. */
static void add_lane_loops(struct codegen *cg, struct list *out, const struct node *loop, struct expr *first, int64_t n)
{
	int lanes = loop->marks.vector;

	for (int64_t i = 0; i < n; i++) {
		struct node *lane = node_copy_deep(cg->arena, loop);

		if (i > 0)
			list_own_locals(cg, &lane->body, false);
		lane->lo = offset_expr(cg->arena, first, i * lanes);
		lane->hi = offset_expr(cg->arena, first, (i + 1) * lanes);
		lane->marks = (struct loop_marks){ .vector = lanes };
		list_add(cg->arena, out, lane);
	}
}

bool expr_is_simple(const struct expr *expr)
{
	if (expr->kind == EXPR_SELECT || expr->kind == EXPR_CALL || (expr->kind == EXPR_OP && op_is_function(expr->op)))
		return false;
	for (int i = 0; i < expr->n; i++)
		if (!expr_is_simple(expr->arg[i]))
			return false;
	return true;
}

struct expr *list_add_constant(struct codegen *cg, struct list *list, const struct var *iter, const char *suffix,
			       struct expr *value)
{
	const char *name = arena_printf(cg->arena, "%s.%s", iter->name, suffix);
	struct var *var = nest_add_var(cg->nest, VAR_LOCAL, TYPE_I64, name, 0, NULL);
	struct node *stmt = node_stmt(cg->arena, -1, expr_scalar(cg->arena, var), OP_NONE, value);

	var->ctype = "long";
	stmt->declares = true;
	list_add(cg->arena, list, stmt);
	return expr_scalar(cg->arena, var);
}

/* Run "loop" in steps of "chunk" iterations as long as they fill, each step written out by "add" with "n" copies; then let
 * "loop" do the rest. "first" is where the whole loop began, a multiple of "chunk" steps before. */
static void split_off(struct codegen *cg, struct list *out, struct node *loop, struct expr *first, int64_t chunk, int64_t n,
		      void (*add)(struct codegen *cg, struct list *out, const struct node *loop, struct expr *first, int64_t n))
{
	struct arena *arena = cg->arena;
	struct expr *lo = expr_cast(arena, TYPE_I64, first), *hi = expr_cast(arena, TYPE_I64, loop->hi);
	struct expr *size = expr_int(arena, chunk * loop->step, TYPE_I64), *end, *rest;
	struct node *main = node_copy_deep(arena, loop);
	int64_t trips;
	bool is_exact = loop_trips(arena, loop, &trips) && trips % chunk == 0;

	if (is_exact) {
		end = hi;
	} else {
		if (!expr_is_simple(hi))
			hi = loop->hi = list_add_constant(cg, out, loop->iter, "end", hi);
		rest = expr_simplify(arena, expr_binary(arena, OP_SUB, hi, lo));
		end = list_add_constant(cg, out, loop->iter, "full",
				   expr_binary(arena, OP_SUB, hi, expr_binary(arena, OP_MOD, rest, size)));
	}
	main->hi = end;
	main->step = chunk * loop->step;
	main->marks = (struct loop_marks){ .parallel = loop->marks.parallel };
	main->body = (struct list){ 0 };
	add(cg, &main->body, loop, expr_scalar(arena, loop->iter), n);
	list_add(arena, out, main);
	list_own_locals(cg, &loop->body, true);
	loop->lo = end;
	loop->marks.parallel = false;
	if (is_exact)
		loop->hi = end;
}

/* Whether nothing is left of "loop" after split_off(). */
static bool is_done(const struct node *loop)
{
	return loop->lo == loop->hi;
}

/* How many statements writing out the loops below "list" would make. */
static int64_t written_count(struct codegen *cg, const struct list *list)
{
	int64_t n = 0, trips;

	for (int i = 0; i < list->n; i++) {
		const struct node *node = list->node[i];
		int lanes = node->marks.vector > 1 ? node->marks.vector : 1;
		int64_t below = written_count(cg, &node->body) + written_count(cg, &node->orelse), copies = 1;

		if (node->kind == NODE_STMT)
			below = 1;
		else if (node->kind == NODE_LOOP && loop_trips(cg->arena, node, &trips) && trips <= (int64_t)TRIPS_MAX * lanes &&
			 (node->marks.unroll == UNROLL_FULL || lanes > 1))
			copies = (trips + lanes - 1) / lanes;
		else if (node->kind == NODE_LOOP && node->marks.unroll > 1)
			copies = node->marks.unroll;
		n += below * (copies ? copies : 1);
	}
	return n > STATEMENTS_MAX ? STATEMENTS_MAX : n;
}

/* The "n" lane loops of "loop" as one loop over vectors, which the compiler unrolls, around a lane loop. */
static void add_rolled_lanes(struct codegen *cg, struct list *out, struct node *loop, int n)
{
	struct arena *arena = cg->arena;
	const int lanes = loop->marks.vector;
	struct var *iter = nest_add_var(cg->nest, VAR_ITER, loop->iter->type, "lane", 0, NULL);
	struct expr *first = expr_scalar(arena, loop->iter);
	struct node *lane = node_loop(arena, iter, first, offset_expr(arena, first, lanes), 1);

	lane->marks.vector = lanes;
	lane->body = loop->body;
	for (int i = 0; i < lane->body.n; i++)
		node_replace(arena, lane->body.node[i], loop->iter, expr_scalar(arena, iter));
	list_simplify(arena, &lane->body);
	loop->step = lanes;
	loop->marks = (struct loop_marks){ .unroll = n };
	loop->body = (struct list){ 0 };
	list_add(arena, &loop->body, lane);
	list_add(arena, out, loop);
}

static void lower_vector(struct codegen *cg, struct list *out, struct node *loop)
{
	int lanes = loop->marks.vector, unroll = loop->marks.unroll;
	struct expr *first = loop->lo;
	int64_t trips = 0;
	bool is_constant = loop_trips(cg->arena, loop, &trips);

	if (is_constant && trips % lanes == 0 && trips / lanes <= (unroll == UNROLL_FULL ? LANE_LOOPS_MAX : 4)) {
		if (cg->is_rolled && trips / lanes > 1)
			add_rolled_lanes(cg, out, loop, (int)(trips / lanes));
		else
			add_lane_loops(cg, out, loop, loop->lo, trips / lanes);
		return;
	}
	if (!loop_has_room(cg->arena, loop, lanes)) {
		loop->marks = (struct loop_marks){ .parallel = loop->marks.parallel };
		list_add(cg->arena, out, loop);
		return;
	}
	if (!cg->is_rolled && unroll > 1 && unroll <= LANE_LOOPS_MAX &&
	    loop_has_room(cg->arena, loop, (int64_t)unroll * lanes))
		split_off(cg, out, loop, first, (int64_t)unroll * lanes, unroll, add_lane_loops);
	if (!is_done(loop)) {
		split_off(cg, out, loop, first, lanes, 1, add_lane_loops);
		if (cg->is_rolled)
			out->node[out->n - 1]->marks.unroll = unroll;
	}
	loop->marks = (struct loop_marks){ 0 };
	if (!is_done(loop))
		list_add(cg->arena, out, loop);
}

static void lower_unroll(struct codegen *cg, struct list *out, struct node *loop)
{
	int64_t trips = 0, copies = loop->marks.unroll;
	bool is_constant = loop_trips(cg->arena, loop, &trips);
	int statements = statement_count(&loop->body);

	if (is_constant && trips <= TRIPS_MAX && (copies == UNROLL_FULL || copies >= trips) &&
	    trips * statements <= STATEMENTS_MAX) {
		if (cg->is_rolled && trips > 1) {
			loop->marks.unroll = (int)trips;
			list_add(cg->arena, out, loop);
		} else {
			add_copies(cg, out, loop, loop->lo, trips);
		}
		return;
	}
	if (copies > 1 && copies <= TRIPS_MAX && cg->is_rolled) {
		list_add(cg->arena, out, loop);
		return;
	}
	if (copies > 1 && copies <= TRIPS_MAX && loop_has_room(cg->arena, loop, copies) && copies * statements <= STATEMENTS_MAX) {
		split_off(cg, out, loop, loop->lo, copies, copies, add_copies);
	}
	loop->marks.unroll = 0;
	if (!is_done(loop))
		list_add(cg->arena, out, loop);
}

/* "loop" in a form that vectors can express, or NULL. */
static struct node *vector_form(struct codegen *cg, struct node *loop)
{
	struct node *converted;

	if (loop_has_vector_form(cg, loop))
		return loop;
	converted = node_copy_deep(cg->arena, loop);
	list_convert_conditions(cg->arena, &converted->body);
	return loop_has_vector_form(cg, converted) ? converted : NULL;
}

static void lower_marked(struct codegen *cg, struct list *out, struct node *loop)
{
	struct node *vector;

	lower_list(cg, &loop->body);
	vector = loop->marks.vector > 1 ? vector_form(cg, loop) : NULL;
	if (vector) {
		lower_vector(cg, out, vector);
		return;
	}
	if (loop->marks.vector)
		loop->marks.vector = loop->marks.staged ? 0 : 1;
	loop->marks.staged = false;
	if (loop->marks.unroll == UNROLL_FULL || loop->marks.unroll > 1)
		lower_unroll(cg, out, loop);
	else
		list_add(cg->arena, out, loop);
}

/* Whether "loop" is one of those that are written out. */
static bool is_written_out(const struct node *loop)
{
	return loop->marks.vector > 1 || loop->marks.unroll == UNROLL_FULL || loop->marks.unroll > 1;
}

static void lower_loop(struct codegen *cg, struct list *out, struct node *loop)
{
	struct list one = { 1, &loop };
	bool was_rolled = cg->is_rolled;

	cg->is_rolled = was_rolled || (is_written_out(loop) && written_count(cg, &one) > WRITTEN_MAX);
	lower_marked(cg, out, loop);
	cg->is_rolled = was_rolled;
}

void lower_list(struct codegen *cg, struct list *list)
{
	struct list out = { 0 };

	for (int i = 0; i < list->n; i++) {
		struct node *node = list->node[i];

		if (node->kind == NODE_LOOP) {
			lower_loop(cg, &out, node);
			continue;
		}
		lower_list(cg, &node->body);
		lower_list(cg, &node->orelse);
		list_add(cg->arena, &out, node);
	}
	*list = out;
}

void lower_loops(struct codegen *cg)
{
	lower_list(cg, &cg->nest->body);
}
