#include "lift_loop_internal.h"

#include <string.h>

struct symbol *counter_find(struct lifter *lifter, const struct loop *loop)
{
	struct targets targets = {0};
	struct symbol *found = NULL;
	CXCursor *side;
	int n;

	if (clang_Cursor_isNull(loop->clause.cond))
		lift_refuse(lifter, REFUSAL_LOOP_FORM, loop->cursor, "it has no condition");
	if (loop->clause.is_countdown)
		return symbol_get(lifter, loop->clause.counted);
	targets_collect(lifter, loop->clause.step, &targets);
	side = cursor_children(lifter->arena, cursor_peel(lifter->arena, loop->clause.cond, true), &n);
	for (int i = 0; i < targets.n && !found; i++) {
		enum type type;

		for (int j = 0; j < n && !found; j++)
			if (liveness_mentions(side[j], targets.decl[i]) && type_of(clang_getCursorType(targets.decl[i]), &type) &&
			    type_is_integer(type))
				found = symbol_get(lifter, targets.decl[i]);
	}
	if (!found)
		lift_refuse(lifter, REFUSAL_LOOP_FORM, loop->cursor, "no counter is stepped and tested in its head");
	return found;
}

static bool is_affine(const struct lifter *lifter, const struct poly *poly)
{
	for (int i = 0; i < poly->n; i++)
		for (int j = 0; j < poly->term[i].n; j++)
			if (poly->term[i].n > 1 && !lifter->atom[poly->term[i].atom[j]].is_param)
				return false;
	return true;
}

bool expr_mentions(const struct expr *expr, const struct var *var)
{
	if (expr->kind == EXPR_REF && expr->var == var)
		return true;
	for (int i = 0; i < expr->n; i++)
		if (expr_mentions(expr->arg[i], var))
			return true;
	return false;
}

/* The bound as a value that is fixed before the loop begins. */
static struct poly *freeze_bound(struct lifter *lifter, struct loop *loop, struct poly *bound)
{
	struct value value;

	if (poly_is_frozen(lifter, bound))
		return bound;
	if (poly_uses(bound, loop->atom))
		lift_refuse(lifter, REFUSAL_LOOP_BOUND, loop->clause.cond, "'%s'", cursor_text(lifter, loop->clause.cond));
	loop->frozen_bound = poly_expr(lifter, bound, TYPE_I64);
	value = value_freeze(lifter, value_of_poly(lifter, bound, poly_type(lifter, bound)),
			     arena_printf(lifter->arena, "%s_end", loop->counter->path), loop->clause.cond);
	return value.poly;
}

static enum CXBinaryOperatorKind mirrored(enum CXBinaryOperatorKind op)
{
	switch (op) {
	case CXBinaryOperator_LT:
		return CXBinaryOperator_GT;
	case CXBinaryOperator_LE:
		return CXBinaryOperator_GE;
	case CXBinaryOperator_GT:
		return CXBinaryOperator_LT;
	case CXBinaryOperator_GE:
		return CXBinaryOperator_LE;
	default:
		return op;
	}
}

/* Read the condition as "i op bound". */
static struct poly *find_bound(struct lifter *lifter, struct loop *loop, enum CXBinaryOperatorKind *op)
{
	const CXCursor cond = cursor_peel(lifter->arena, loop->clause.cond, true);
	struct poly *difference, *slope, *rest;
	CXCursor *child;
	int64_t sign;
	int n;

	child = cursor_children(lifter->arena, cond, &n);
	*op = clang_getCursorKind(cond) == CXCursor_BinaryOperator ? clang_getCursorBinaryOperatorKind(cond) :
								     CXBinaryOperator_Invalid;
	if (*op < CXBinaryOperator_LT || *op > CXBinaryOperator_NE || *op == CXBinaryOperator_EQ)
		lift_refuse(lifter, REFUSAL_LOOP_FORM, cond, "its condition is '%s'", cursor_text(lifter, cond));
	difference = expr_lift_index(lifter, child[0]);
	difference = poly_add(lifter, difference, expr_lift_index(lifter, child[1]), -1);
	if (!poly_split(lifter, difference, loop->atom, &slope, &rest) || !poly_is_const(slope, &sign) ||
	    (sign != 1 && sign != -1))
		lift_refuse(lifter, REFUSAL_LOOP_FORM, cond, "its condition is '%s'", cursor_text(lifter, cond));
	if (sign < 0)
		*op = mirrored(*op);
	return freeze_bound(lifter, loop, poly_add(lifter, poly_const(lifter, 0), rest, -sign));
}

static void need_not_empty(struct lifter *lifter, struct loop *loop, struct poly *trip)
{
	if (!range_assume(lifter, trip, lifter->around, lifter->n_around))
		lift_refuse(lifter, REFUSAL_LOOP_FORM, loop->clause.cond, "'%s' may never become false",
			    cursor_text(lifter, loop->clause.cond));
}

/* Take from "poly" what it needs of the counter itself. */
static struct poly *take_needs(struct lifter *lifter, struct loop *loop, const struct poly *poly)
{
	struct poly *const result = poly_add(lifter, poly, poly_const(lifter, 0), 1);

	result->n_need = 0;
	for (int i = 0; i < poly->n_need; i++) {
		if (!poly_uses(poly->need[i], loop->atom))
			result->need[result->n_need++] = poly->need[i];
		else if (loop->n_need < 8)
			loop->need[loop->n_need++] = poly->need[i];
	}
	return result;
}

/* Choose iter so that it counts up: from start to the bound, or from 0 where i counts down or start is not affine. */
static void normalize(struct lifter *lifter, struct loop *loop, struct poly *bound, enum CXBinaryOperatorKind op)
{
	struct poly *const one = poly_const(lifter, 1);
	const bool is_inclusive = op == CXBinaryOperator_LE || op == CXBinaryOperator_GE;
	const bool is_up = loop->step > 0;
	const int64_t size = is_up ? loop->step : -loop->step;
	struct poly *distance;

	if (op == CXBinaryOperator_NE ? size != 1 : is_up != (op == CXBinaryOperator_LT || op == CXBinaryOperator_LE))
		lift_refuse(lifter, REFUSAL_LOOP_FORM, loop->clause.cond, "'%s' does not fit its step",
			    cursor_text(lifter, loop->clause.cond));
	if (is_inclusive)
		bound = poly_add(lifter, bound, one, is_up ? 1 : -1);
	bound = take_needs(lifter, loop, bound);
	distance = is_up ? poly_add(lifter, bound, loop->start, -1) : poly_add(lifter, loop->start, bound, -1);
	if (op == CXBinaryOperator_NE)
		need_not_empty(lifter, loop, distance);
	if (is_up && is_affine(lifter, loop->start)) {
		loop->lo = loop->start;
		loop->hi = bound;
	} else {
		loop->lo = poly_const(lifter, 0);
		loop->hi = distance;
		loop->offset = is_up ? 1 : -1;
	}
	if (size == 1) {
		loop->trip = distance;
		loop->last = poly_need(lifter, bound, distance);
	}
	loop->step = size;
}

/* Settle what the condition needs of the counter, in the loop. */
static void settle_counter(struct lifter *lifter, struct loop *loop, int atom)
{
	bool holds = loop->n_need < 8;

	lifter->around[lifter->n_around] = (struct around){NULL, loop->iter, loop->lo, loop->hi};
	for (int i = 0; i < loop->n_need && holds; i++) {
		struct poly *slope, *rest, *need = NULL;

		if (poly_split(lifter, loop->need[i], atom, &slope, &rest))
			need = poly_mul(lifter, slope, loop->index);
		holds = need && range_assume(lifter, poly_add(lifter, rest, need, 1), lifter->around, lifter->n_around + 1);
	}
	if (!holds)
		lift_refuse(lifter, REFUSAL_UNSIGNED, loop->clause.cond, "'%s' may wrap around",
			    cursor_text(lifter, loop->clause.cond));
}

static void settle_head(struct lifter *lifter, struct loop *loop, CXCursor where)
{
	loop->lo = range_settle(lifter, loop->lo, where);
	loop->hi = range_settle(lifter, loop->hi, where);
}

static bool is_around(const struct lifter *lifter, const struct var *iter)
{
	for (int i = 0; i < lifter->n_around; i++)
		if (lifter->around[i].iter == iter)
			return true;
	return false;
}

/* Take the iterator of the counter's name and of "type"; loops that do not stand in each other share it. */
static void set_iterator(struct lifter *lifter, struct loop *loop, enum type type)
{
	const struct nest *const nest = lifter->nest;
	const size_t n = strlen(loop->counter->path);

	loop->iter = NULL;
	for (int i = 0; i < nest->n_var && !loop->iter; i++) {
		struct var *const var = nest->var[i];

		if (var->kind == VAR_ITER && var->type == type && strncmp(var->name, loop->counter->path, n) == 0 &&
		    strspn(var->name + n, "0123456789") == strlen(var->name + n) && !is_around(lifter, var))
			loop->iter = var;
	}
	if (!loop->iter)
		loop->iter = nest_add_var(lifter->nest, VAR_ITER, type, loop->counter->path, 0, NULL);
	loop->atom = atom_of_var(lifter, loop->iter, true);
}

/* A counter of 8 or 16 bits must be able to pass its bound. */
static void check_narrow(struct lifter *lifter, struct loop *loop)
{
	struct poly *limit;

	if (type_size(loop->type) >= 4)
		return;
	limit = poly_const(lifter, loop->type == TYPE_I8 ? INT8_MAX : loop->type == TYPE_U8 ? UINT8_MAX :
				   loop->type == TYPE_I16 ? INT16_MAX : UINT16_MAX);
	limit = poly_add(lifter, limit, poly_const(lifter, loop->step - 1), -1);
	if (!loop->offset && !range_assume(lifter, poly_add(lifter, limit, loop->hi, -1), lifter->around, lifter->n_around))
		lift_refuse(lifter, REFUSAL_UNSIGNED, loop->clause.cond, "'%s' may wrap around",
			    cursor_text(lifter, loop->clause.cond));
}

void countdown_lift(struct lifter *lifter, struct loop *loop)
{
	struct symbol *const counter = loop->counter;
	const struct value value = value_freeze(lifter, symbol_read(lifter, counter, loop->cursor), counter->path, loop->cursor);

	if (loop->was_kept || type_size(value.expr->type) < 4)
		lift_refuse(lifter, REFUSAL_LOOP_COUNTER, loop->clause.cond, "what '%s' is after the loop is not simple", counter->path);
	loop->type = value.expr->type;
	loop->start = loop->trip = loop->hi = value.poly;
	loop->lo = poly_const(lifter, 0);
	loop->step = 1;
	if (loop->clause.until_zero)
		need_not_empty(lifter, loop, loop->start);
	settle_head(lifter, loop, loop->clause.cond);
	set_iterator(lifter, loop, type_size(loop->type) == 8 || poly_type(lifter, loop->hi) == TYPE_I64 ? TYPE_I64 : TYPE_I32);
	loop->index = poly_add(lifter, poly_add(lifter, loop->hi, poly_const(lifter, 1), -1), poly_atom(lifter, loop->atom), -1);
}

void head_lift(struct lifter *lifter, struct loop *loop)
{
	struct symbol *const counter = loop->counter;
	struct poly *const step = cursor_delta(lifter, loop->clause.step, counter->decl, loop->cursor);
	enum CXBinaryOperatorKind op;
	struct poly *bound;
	struct value value;
	int atom;

	if (!step || !poly_is_const(step, &loop->step) || loop->step == 0)
		lift_refuse(lifter, REFUSAL_LOOP_FORM, loop->clause.step, "it steps by '%s'", cursor_text(lifter, loop->clause.step));
	value = value_freeze(lifter, symbol_read(lifter, counter, loop->cursor), counter->path, loop->cursor);
	loop->start = value.poly;
	loop->type = value.expr->type;
	set_iterator(lifter, loop, type_size(loop->type) == 8 || loop->type == TYPE_U32 ? TYPE_I64 : TYPE_I32);
	counter->value = value_of_poly(lifter, poly_atom(lifter, loop->atom), loop->type);
	bound = find_bound(lifter, loop, &op);
	refuse_effects(lifter, loop->clause.cond);
	if (!type_is_signed(loop->type) && loop->step < 0 && op == CXBinaryOperator_GE) {
		int64_t zero;

		if (poly_is_const(bound, &zero) && zero <= 0)
			lift_refuse(lifter, REFUSAL_UNSIGNED, loop->clause.cond, "'%s' is always true",
				    cursor_text(lifter, loop->clause.cond));
	}
	atom = loop->atom;
	normalize(lifter, loop, bound, op);
	settle_head(lifter, loop, loop->clause.cond);
	if (poly_type(lifter, loop->lo) == TYPE_I64 ||
	    poly_type(lifter, loop->hi) == TYPE_I64)
		set_iterator(lifter, loop, TYPE_I64);
	loop->index = poly_atom(lifter, loop->atom);
	if (loop->offset)
		loop->index = poly_add(lifter, loop->start, loop->index, loop->offset);
	settle_counter(lifter, loop, atom);
	check_narrow(lifter, loop);
}
