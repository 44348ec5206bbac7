#include "extents.h"

#include <stddef.h>

#include "spell.h"

/* Beyond these, answers get coarser: loops around a statement that are told apart, conditions that hold at once, and
 * steps of elimination in all. */
enum { MAX_DEPTH = 24, MAX_FACTS = 64, MAX_STEPS = 1 << 20 };

/* constant + sum over d of coefficient[d] * (the iterator of the loop at depth d). */
struct form {
	int64_t constant;
	int64_t coefficient[MAX_DEPTH];
};

/* What is known of a local: by "form" if it has one, else by "range". */
struct local {
	bool has_form, has_range;
	int assignments;
	struct form form;
	struct interval range;
};

/* The place in the nest: the loops around it with the ranges of their iterators, and the facts (form >= 0) that hold. */
struct place {
	const struct nest *nest;
	bool (*value)(const struct var *var, int64_t *result, void *context);
	void *context;
	const struct node *loop[MAX_DEPTH];
	struct interval range[MAX_DEPTH];
	int depth;
	struct form fact[MAX_FACTS];
	int n_fact;
	int steps;
	struct local *local;
	struct box *box;
};

static int find_index(const struct nest *nest, const struct var *var)
{
	for (int i = 0; i < nest->n_var; i++)
		if (nest->var[i] == var)
			return i;
	return -1;
}

static int find_depth(const struct place *place, const struct var *iter)
{
	for (int d = place->depth - 1; d >= 0; d--)
		if (place->loop[d]->iter == iter)
			return d;
	return -1;
}

/* ---- forms ---- */

/* *form += factor * other; false when a coefficient overflows. */
static bool form_add(struct form *form, const struct form *other, int64_t factor)
{
	int64_t product;

	if (__builtin_mul_overflow(other->constant, factor, &product) ||
	    __builtin_add_overflow(form->constant, product, &form->constant))
		return false;
	for (int d = 0; d < MAX_DEPTH; d++)
		if (__builtin_mul_overflow(other->coefficient[d], factor, &product) ||
		    __builtin_add_overflow(form->coefficient[d], product, &form->coefficient[d]))
			return false;
	return true;
}

static bool form_is_constant(const struct form *form)
{
	for (int d = 0; d < MAX_DEPTH; d++)
		if (form->coefficient[d])
			return false;
	return true;
}

static bool form_of(const struct place *place, const struct expr *expr, struct form *form);

static bool form_of_scalar(const struct place *place, const struct var *var, struct form *form)
{
	const struct local *local;
	int d;

	switch (var->kind) {
	case VAR_PARAM:
		return place->value(var, &form->constant, place->context);
	case VAR_ITER:
		d = find_depth(place, var);
		if (d >= 0)
			form->coefficient[d] = 1;
		return d >= 0;
	case VAR_LOCAL:
		local = &place->local[find_index(place->nest, var)];
		*form = local->form;
		return local->has_form;
	default:
		return false;
	}
}

static bool form_of_op(const struct place *place, const struct expr *expr, struct form *form)
{
	struct form left, right;

	if (!form_of(place, expr->arg[0], &left))
		return false;
	if (expr->op == OP_NEG)
		return form_add(form, &left, -1);
	if (expr->n != 2 || !form_of(place, expr->arg[1], &right))
		return false;
	switch (expr->op) {
	case OP_ADD:
		return form_add(form, &left, 1) && form_add(form, &right, 1);
	case OP_SUB:
		return form_add(form, &left, 1) && form_add(form, &right, -1);
	case OP_MUL:
		if (form_is_constant(&right))
			return form_add(form, &left, right.constant);
		return form_is_constant(&left) && form_add(form, &right, left.constant);
	case OP_SHL:
		return form_is_constant(&right) && right.constant >= 0 && right.constant < 31 &&
		       form_add(form, &left, (int64_t)1 << right.constant);
	default:
		return false;
	}
}

static struct interval interval_at(const struct place *place, const struct expr *expr);

/* A conversion that changes no value. */
static bool is_widening(const struct place *place, const struct expr *expr)
{
	enum type from = expr->arg[0]->type, to = expr->type;
	struct interval value, type = interval_of_type(to);

	if (!type_is_integer(from) || !type_is_integer(to))
		return false;
	if (type_size(to) >= type_size(from) && type_is_signed(to) && (type_is_signed(from) || type_size(to) > type_size(from)))
		return true;
	value = interval_at(place, expr->arg[0]);
	if (to == TYPE_U64)
		return value.is_known && value.lo >= 0;
	return value.is_known && value.lo >= type.lo && value.hi <= type.hi;
}

/* Set "*form" to the form of "expr", if it is affine in the iterators at "place". */
static bool form_of(const struct place *place, const struct expr *expr, struct form *form)
{
	*form = (struct form){ 0 };
	switch (expr->kind) {
	case EXPR_INT:
		form->constant = expr->integer;
		return true;
	case EXPR_REF:
		return expr->n == 0 && type_is_integer(expr->type) && form_of_scalar(place, expr->var, form);
	case EXPR_OP:
		return type_is_integer(expr->arg[0]->type) && form_of_op(place, expr, form);
	case EXPR_CAST:
		return is_widening(place, expr) && form_of(place, expr->arg[0], form);
	default:
		return false;
	}
}

/* ---- bounds ---- */

static bool maximise(struct place *place, struct form form, int depth, int64_t *result);

/* The largest value of "form" + factor * (iterator at "depth"), which "bound" (+ "shift") limits from the side that
 * factor's sign makes decisive. Where the bound is the tighter of two, each holds; where the looser, one of them. */
static bool maximise_by(struct place *place, struct form form, int depth, int64_t factor, const struct expr *bound,
			int64_t shift, int64_t *result)
{
	struct interval range = place->range[depth];
	struct form limit;
	int64_t value;

	if (bound->kind == EXPR_OP && (bound->op == OP_MIN || bound->op == OP_MAX) && place->steps < MAX_STEPS) {
		bool is_tighter = (bound->op == OP_MIN) == (factor > 0);
		int64_t a = 0, b = 0;
		bool has_a = maximise_by(place, form, depth, factor, bound->arg[0], shift, &a);
		bool has_b = maximise_by(place, form, depth, factor, bound->arg[1], shift, &b);

		if (!has_a || !has_b) {
			*result = has_a ? a : b;
			return is_tighter && (has_a || has_b);
		}
		*result = (a < b) == is_tighter ? a : b;
		return true;
	}
	if (form_of(place, bound, &limit) && !form_is_constant(&limit)) {
		if (__builtin_add_overflow(limit.constant, shift, &limit.constant) || !form_add(&form, &limit, factor))
			return false;
		return maximise(place, form, depth, result);
	}
	if (!range.is_known || __builtin_mul_overflow(factor, factor > 0 ? range.hi : range.lo, &value) ||
	    __builtin_add_overflow(form.constant, value, &form.constant))
		return false;
	return maximise(place, form, depth, result);
}

/* A value that "form" does not exceed, over the loops above "depth". */
static bool maximise(struct place *place, struct form form, int depth, int64_t *result)
{
	int64_t factor;

	while (depth > 0 && form.coefficient[depth - 1] == 0)
		depth--;
	if (depth == 0) {
		*result = form.constant;
		return true;
	}
	place->steps++;
	depth--;
	factor = form.coefficient[depth];
	form.coefficient[depth] = 0;
	return maximise_by(place, form, depth, factor, factor > 0 ? place->loop[depth]->hi : place->loop[depth]->lo,
			   factor > 0 ? -1 : 0, result);
}

/* How often "fact" must be added to "form" to cancel its innermost iterator, at least once. */
static int64_t multiple(const struct form *form, const struct form *fact)
{
	for (int d = MAX_DEPTH - 1; d >= 0; d--)
		if (fact->coefficient[d]) {
			int64_t ratio = form->coefficient[d] / fact->coefficient[d];

			return ratio < 0 ? -ratio : 1;
		}
	return 1;
}

/* The least upper bound of "form" that the loops give, alone or with one of the facts: form <= form + k * fact. */
static bool upper_bound(struct place *place, const struct form *form, int64_t *result)
{
	bool is_known = maximise(place, *form, place->depth, result);

	for (int i = 0; i < place->n_fact && place->steps < MAX_STEPS; i++) {
		struct form sum = *form;
		int64_t value;

		if (form_add(&sum, &place->fact[i], multiple(form, &place->fact[i])) &&
		    maximise(place, sum, place->depth, &value) && (!is_known || value < *result)) {
			*result = value;
			is_known = true;
		}
	}
	return is_known;
}

static struct interval interval_of_form(struct place *place, const struct form *form)
{
	struct interval interval = { true, 0, 0 };
	struct form negated = { 0 };

	if (!form_add(&negated, form, -1) || !upper_bound(place, form, &interval.hi) ||
	    !upper_bound(place, &negated, &interval.lo) || interval.lo == INT64_MIN)
		return interval_unknown();
	interval.lo = -interval.lo;
	return interval;
}

static struct interval range_of_scalar(const struct var *var, void *context)
{
	const struct place *place = context;
	const struct local *local;
	int64_t value;
	int d;

	switch (var->kind) {
	case VAR_PARAM:
		return place->value(var, &value, place->context) ? interval_of(value, value) : interval_unknown();
	case VAR_ITER:
		d = find_depth(place, var);
		return d >= 0 ? place->range[d] : interval_unknown();
	case VAR_LOCAL:
		local = &place->local[find_index(place->nest, var)];
		return local->has_range ? local->range : interval_unknown();
	default:
		return interval_unknown();
	}
}

static struct interval interval_at(const struct place *place, const struct expr *expr)
{
	return expr_interval(expr, range_of_scalar, (void *)place);
}

static struct interval bound_expr(struct place *place, const struct expr *expr)
{
	struct interval interval = interval_at(place, expr);
	struct form form;

	if (form_of(place, expr, &form))
		interval = interval_meet(interval, interval_of_form(place, &form));
	return interval;
}

/* ---- facts ---- */

/* Whether the form of an expression of type "type" is its value: of an unsigned one, that it does not go below 0. */
static bool is_unwrapped(struct place *place, enum type type, const struct form *form)
{
	struct interval interval;

	if (type_is_signed(type))
		return true;
	interval = interval_of_form(place, form);
	return interval.is_known && interval.lo >= 0;
}

/* Add the fact larger - smaller - gap >= 0. False when it cannot hold here. */
static bool add_fact(struct place *place, const struct expr *larger, const struct expr *smaller, int64_t gap)
{
	struct form fact, other;
	int64_t most;

	if (!form_of(place, larger, &fact) || !form_of(place, smaller, &other) ||
	    !is_unwrapped(place, larger->type, &fact) || !is_unwrapped(place, smaller->type, &other) ||
	    !form_add(&fact, &other, -1) || __builtin_sub_overflow(fact.constant, gap, &fact.constant))
		return true;
	if (upper_bound(place, &fact, &most) && most < 0)
		return false;
	if (place->n_fact < MAX_FACTS && !form_is_constant(&fact))
		place->fact[place->n_fact++] = fact;
	return true;
}

/* Add that "left" and "right" differ, where all that this says is that one is larger. */
static bool add_difference(struct place *place, const struct expr *left, const struct expr *right)
{
	struct interval interval;
	struct form form, other;

	if (!form_of(place, left, &form) || !form_of(place, right, &other) || !form_add(&form, &other, -1))
		return true;
	interval = interval_of_form(place, &form);
	if (interval.is_known && interval.lo == 0)
		return add_fact(place, left, right, 1);
	if (interval.is_known && interval.hi == 0)
		return add_fact(place, right, left, 1);
	return true;
}

static bool add_comparison(struct place *place, enum op op, const struct expr *left, const struct expr *right)
{
	switch (op) {
	case OP_LT: return add_fact(place, right, left, 1);
	case OP_LE: return add_fact(place, right, left, 0);
	case OP_GT: return add_fact(place, left, right, 1);
	case OP_GE: return add_fact(place, left, right, 0);
	case OP_EQ: return add_fact(place, left, right, 0) && add_fact(place, right, left, 0);
	default: return add_difference(place, left, right);
	}
}

static enum op opposite(enum op op)
{
	switch (op) {
	case OP_LT: return OP_GE;
	case OP_LE: return OP_GT;
	case OP_GT: return OP_LE;
	case OP_GE: return OP_LT;
	case OP_EQ: return OP_NE;
	default: return OP_EQ;
	}
}

/* Add what follows from "cond" being true, or false if "is_false". Return false when it cannot be so here. */
static bool add_condition(struct place *place, const struct expr *cond, bool is_false)
{
	if (cond->kind == EXPR_INT)
		return (cond->integer == 0) == is_false;
	if (cond->kind != EXPR_OP)
		return true;
	if (cond->op == OP_NOT)
		return add_condition(place, cond->arg[0], !is_false);
	if (cond->op == (is_false ? OP_LOR : OP_LAND))
		return add_condition(place, cond->arg[0], is_false) && add_condition(place, cond->arg[1], is_false);
	if (!op_is_comparison(cond->op) || !type_is_integer(cond->arg[0]->type))
		return true;
	return add_comparison(place, is_false ? opposite(cond->op) : cond->op, cond->arg[0], cond->arg[1]);
}

/* Add that a loop from "lo" to "hi" is not empty, for each of the bounds of which "lo" is the largest and "hi" the
 * smallest. */
static bool add_not_empty(struct place *place, const struct expr *lo, const struct expr *hi)
{
	if (hi->kind == EXPR_OP && hi->op == OP_MIN)
		return add_not_empty(place, lo, hi->arg[0]) && add_not_empty(place, lo, hi->arg[1]);
	if (lo->kind == EXPR_OP && lo->op == OP_MAX)
		return add_not_empty(place, lo->arg[0], hi) && add_not_empty(place, lo->arg[1], hi);
	return add_fact(place, hi, lo, 1);
}

/* ---- the walk ---- */

static void touch(struct place *place, const struct expr *ref)
{
	struct box *box = &place->box[find_index(place->nest, ref->var)];

	for (int d = 0; d < ref->n; d++)
		box->dim[d] = interval_hull(box->dim[d], bound_expr(place, ref->arg[d]));
	box->is_touched = true;
}

static void visit_expr(struct place *place, const struct expr *expr);

/* Visit "expr", which is evaluated only when "cond" is true (or false). */
static void visit_under(struct place *place, const struct expr *cond, bool is_false, const struct expr *expr)
{
	int outside = place->n_fact;

	if (add_condition(place, cond, is_false))
		visit_expr(place, expr);
	place->n_fact = outside;
}

static void visit_expr(struct place *place, const struct expr *expr)
{
	if (expr->kind == EXPR_SELECT) {
		visit_expr(place, expr->arg[0]);
		visit_under(place, expr->arg[0], false, expr->arg[1]);
		visit_under(place, expr->arg[0], true, expr->arg[2]);
		return;
	}
	if (expr->kind == EXPR_OP && (expr->op == OP_LAND || expr->op == OP_LOR)) {
		visit_expr(place, expr->arg[0]);
		visit_under(place, expr->arg[0], expr->op == OP_LOR, expr->arg[1]);
		return;
	}
	for (int i = 0; i < expr->n; i++)
		visit_expr(place, expr->arg[i]);
	if (expr->kind == EXPR_REF && expr->n)
		touch(place, expr);
}

/* A local that is assigned but once keeps what it is given, and one that is declared by that keeps its form. */
static void note_local(struct place *place, const struct node *node)
{
	const struct var *var = node->target->var;
	struct local *local;

	if (var->kind != VAR_LOCAL || var->rank || !type_is_integer(var->type))
		return;
	local = &place->local[find_index(place->nest, var)];
	if (local->assignments != 1 || node->op != OP_NONE || !node->value)
		return;
	local->range = bound_expr(place, node->value);
	local->has_range = true;
	local->has_form = node->declares && form_of(place, node->value, &local->form);
}

static void visit_list(struct place *place, const struct list *list);

/* The values that the iterator of "loop" may take, by its bounds as intervals. */
static struct interval range_of_loop(const struct node *loop, struct interval lo, struct interval hi)
{
	if (!lo.is_known || !hi.is_known || hi.hi == INT64_MIN)
		return interval_unknown();
	if (lo.lo == lo.hi && hi.lo == hi.hi && hi.hi > lo.lo && lo.lo > INT64_MIN / 4 && hi.hi < INT64_MAX / 4)
		return interval_of(lo.lo, lo.lo + (hi.hi - 1 - lo.lo) / loop->step * loop->step);
	return interval_of(lo.lo, hi.hi - 1);
}

static void visit_loop(struct place *place, const struct node *loop)
{
	int outside = place->n_fact;
	struct interval range = range_of_loop(loop, bound_expr(place, loop->lo), bound_expr(place, loop->hi));

	visit_expr(place, loop->lo);
	visit_expr(place, loop->hi);
	if (place->depth < MAX_DEPTH && !interval_is_empty(range) && add_not_empty(place, loop->lo, loop->hi)) {
		place->loop[place->depth] = loop;
		place->range[place->depth++] = range;
		visit_list(place, &loop->body);
		place->depth--;
	} else if (place->depth == MAX_DEPTH) {
		visit_list(place, &loop->body);
	}
	place->n_fact = outside;
}

static void visit_if(struct place *place, const struct node *node)
{
	int outside = place->n_fact;

	visit_expr(place, node->cond);
	if (add_condition(place, node->cond, false))
		visit_list(place, &node->body);
	place->n_fact = outside;
	if (add_condition(place, node->cond, true))
		visit_list(place, &node->orelse);
	place->n_fact = outside;
}

static void visit_list(struct place *place, const struct list *list)
{
	for (int i = 0; i < list->n; i++) {
		const struct node *node = list->node[i];

		if (node->kind == NODE_LOOP) {
			visit_loop(place, node);
		} else if (node->kind == NODE_IF) {
			visit_if(place, node);
		} else {
			if (node->value)
				visit_expr(place, node->value);
			if (!node->declares)
				visit_expr(place, node->target);
			note_local(place, node);
		}
	}
}

static bool count_assignment(struct node *node, void *context)
{
	struct place *place = context;

	if (node->kind == NODE_STMT && (node->value || !node->declares))
		place->local[find_index(place->nest, node->target->var)].assignments++;
	return true;
}

struct box *nest_extents(struct arena *arena, const struct nest *nest,
			 bool (*value)(const struct var *var, int64_t *result, void *context), void *context)
{
	struct place place = { .nest = nest, .value = value, .context = context };

	place.local = ARENA_ARRAY(arena, struct local, nest->n_var);
	place.box = ARENA_ARRAY(arena, struct box, nest->n_var);
	for (int i = 0; i < nest->n_var; i++) {
		const struct var *var = nest->var[i];

		place.box[i].dim = ARENA_ARRAY(arena, struct interval, var->rank);
		for (int d = 0; d < var->rank; d++)
			place.box[i].dim[d] = interval_of(1, 0);
	}
	list_walk(&nest->body, count_assignment, &place);
	visit_list(&place, &nest->body);
	return place.box;
}
