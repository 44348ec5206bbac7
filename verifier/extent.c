#include "extent.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/memory.h"

enum { depth_most = 32, locals_most = 512 };
static const int64_t unbounded = (int64_t)1 << 48;

/* An integer value inside "depth" loops: constant + sum of factor[d] * iterator[d] + something within [lo, hi]. */
struct form {
	int64_t constant, lo, hi;
	int64_t factor[depth_most];
};

/* The walk: the loops around the present place with their first and last values, and what locals hold. */
struct walk {
	const struct nest *nest;
	const struct signature *signature;
	const struct shape *shape;
	struct box *box;
	int depth;
	const struct var *iter[depth_most];
	struct form first[depth_most], last[depth_most];
	double middle[depth_most];
	int n_local;
	const struct var *local[locals_most];
	struct form held[locals_most];
	int guards;
	double work;
	struct extent_failure *failure;
};

static int var_index(const struct nest *nest, const struct var *var)
{
	int v;

	for (v = 0; v < nest->n_var; v++)
		if (nest->var[v] == var)
			return v;
	return -1;
}

struct lookup {
	const struct nest *nest;
	const struct shape *shape;
};

static bool shape_value(const struct var *var, int64_t *result, void *context)
{
	const struct lookup *lookup = context;
	int v = var_index(lookup->nest, var);

	if (v < 0 || !lookup->shape->is_known[v])
		return false;
	*result = lookup->shape->value[v];
	return true;
}

bool extent_evaluate(const struct nest *nest, const struct shape *shape, const struct expr *expr, int64_t *value)
{
	struct lookup lookup = {nest, shape};

	return expr_evaluate(expr, shape_value, &lookup, value);
}

static int64_t clamp(__int128 value)
{
	if (value > unbounded)
		return unbounded;
	return value < -unbounded ? -unbounded : (int64_t)value;
}

static struct form form_constant(int64_t value)
{
	return (struct form){.constant = value};
}

static struct form form_range(int64_t lo, int64_t hi)
{
	return (struct form){.lo = lo, .hi = hi};
}

static struct form form_unknown(void)
{
	return form_range(-unbounded, unbounded);
}

static bool form_is_unknown(const struct form *form)
{
	return form->lo <= -unbounded || form->hi >= unbounded;
}

/* a + scale * b */
static struct form form_add(const struct form *a, const struct form *b, int64_t scale)
{
	struct form sum;
	int d;

	sum.constant = clamp(a->constant + (__int128)scale * b->constant);
	for (d = 0; d < depth_most; d++)
		sum.factor[d] = clamp(a->factor[d] + (__int128)scale * b->factor[d]);
	sum.lo = clamp(a->lo + (__int128)scale * (scale > 0 ? b->lo : b->hi));
	sum.hi = clamp(a->hi + (__int128)scale * (scale > 0 ? b->hi : b->lo));
	return sum;
}

/* The largest (or smallest) value of "form" over the loops around: from the inside out, each iterator is replaced by
 * the end of its range that serves, which is exact for affine bounds. */
static int64_t extreme(const struct walk *walk, struct form form, bool largest)
{
	int d;

	for (d = walk->depth - 1; d >= 0; d--) {
		int64_t factor = form.factor[d];

		if (factor == 0)
			continue;
		form.factor[d] = 0;
		form = form_add(&form, (factor > 0) == largest ? &walk->last[d] : &walk->first[d], factor);
	}
	return clamp((__int128)form.constant + (largest ? form.hi : form.lo));
}

static struct form form_of(struct walk *walk, const struct expr *expr);

static struct form form_of_element(struct walk *walk, const struct var *var)
{
	int i;

	for (i = 0; i < walk->signature->n_fact; i++) {
		const struct fact *fact = &walk->signature->fact[i];
		int64_t lo = 0, hi;

		if (fact->var != var || (fact->kind != FACT_INDEX && fact->kind != FACT_RANGE) || !fact->hi)
			continue;
		if (extent_evaluate(walk->nest, walk->shape, fact->hi, &hi) &&
		    (!fact->lo || extent_evaluate(walk->nest, walk->shape, fact->lo, &lo)))
			return form_range(lo, hi - 1);
	}
	if (type_size(var->type) == 1)
		return type_is_signed(var->type) ? form_range(-128, 127) : form_range(0, 255);
	if (type_size(var->type) == 2)
		return type_is_signed(var->type) ? form_range(-32768, 32767) : form_range(0, 65535);
	return form_unknown();
}

static struct form form_of_var(struct walk *walk, const struct var *var)
{
	int d, i, v = var_index(walk->nest, var);
	struct form form = {0};

	for (d = walk->depth - 1; d >= 0; d--)
		if (walk->iter[d] == var) {
			form.factor[d] = 1;
			return form;
		}
	if (v >= 0 && walk->shape->is_known[v])
		return form_constant(walk->shape->value[v]);
	for (i = 0; i < walk->n_local; i++)
		if (walk->local[i] == var)
			return walk->held[i];
	return form_of_element(walk, var);
}

/* The product: affine when one side is a constant, else the range of the corners. */
static struct form form_product(struct walk *walk, const struct form *a, const struct form *b)
{
	int64_t a_lo = extreme(walk, *a, false), a_hi = extreme(walk, *a, true);
	int64_t b_lo = extreme(walk, *b, false), b_hi = extreme(walk, *b, true);
	__int128 corner[4] = {(__int128)a_lo * b_lo, (__int128)a_lo * b_hi, (__int128)a_hi * b_lo,
			      (__int128)a_hi * b_hi};
	struct form zero = {0};
	__int128 lo = corner[0], hi = corner[0];
	int i;

	if (a_lo == a_hi)
		return form_add(&zero, b, a_lo);
	if (b_lo == b_hi)
		return form_add(&zero, a, b_lo);
	for (i = 1; i < 4; i++) {
		lo = corner[i] < lo ? corner[i] : lo;
		hi = corner[i] > hi ? corner[i] : hi;
	}
	return form_range(clamp(lo), clamp(hi));
}

static int64_t floor_quotient(int64_t a, int64_t b)
{
	return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

/* Division and remainder by a positive constant; a range. */
static struct form form_quotient(struct walk *walk, enum op op, const struct form *a, int64_t divisor)
{
	int64_t lo = extreme(walk, *a, false), hi = extreme(walk, *a, true);

	if (divisor <= 0 || (op != OP_MOD && (lo <= -unbounded || hi >= unbounded)))
		return form_unknown();
	if (op == OP_DIV)
		return form_range(lo / divisor, hi / divisor);
	if (op == OP_FLOORDIV)
		return form_range(floor_quotient(lo, divisor), floor_quotient(hi, divisor));
	if (lo >= 0 && hi < divisor)
		return *a;
	return form_range(lo < 0 ? 1 - divisor : 0, divisor - 1);
}

static struct form form_min_max(struct walk *walk, enum op op, const struct form *a, const struct form *b)
{
	int64_t a_lo = extreme(walk, *a, false), a_hi = extreme(walk, *a, true);
	int64_t b_lo = extreme(walk, *b, false), b_hi = extreme(walk, *b, true);

	if (op == OP_MIN ? a_hi <= b_lo : a_lo >= b_hi)
		return *a;
	if (op == OP_MIN ? b_hi <= a_lo : b_lo >= a_hi)
		return *b;
	if (op == OP_MIN)
		return form_range(a_lo < b_lo ? a_lo : b_lo, a_hi < b_hi ? a_hi : b_hi);
	return form_range(a_lo > b_lo ? a_lo : b_lo, a_hi > b_hi ? a_hi : b_hi);
}

static struct form form_union(struct walk *walk, const struct form *a, const struct form *b)
{
	int64_t a_lo = extreme(walk, *a, false), a_hi = extreme(walk, *a, true);
	int64_t b_lo = extreme(walk, *b, false), b_hi = extreme(walk, *b, true);

	return form_range(a_lo < b_lo ? a_lo : b_lo, a_hi > b_hi ? a_hi : b_hi);
}

static struct form form_of_op(struct walk *walk, const struct expr *expr)
{
	struct form a = form_of(walk, expr->arg[0]), zero = {0}, b;

	if (expr->op == OP_NEG)
		return form_add(&zero, &a, -1);
	if (expr->op == OP_NOT || (expr->op >= OP_LT && expr->op <= OP_LOR))
		return form_range(0, 1);
	if (expr->n < 2)
		return form_unknown();
	b = form_of(walk, expr->arg[1]);
	switch (expr->op) {
	case OP_ADD:
		return form_add(&a, &b, 1);
	case OP_SUB:
		return form_add(&a, &b, -1);
	case OP_MUL:
		return form_product(walk, &a, &b);
	case OP_MIN:
	case OP_MAX:
		return form_min_max(walk, expr->op, &a, &b);
	default:
		break;
	}
	if (extreme(walk, b, false) != extreme(walk, b, true))
		return form_unknown();
	b = form_constant(extreme(walk, b, false));
	if (expr->op == OP_DIV || expr->op == OP_FLOORDIV || expr->op == OP_MOD)
		return form_quotient(walk, expr->op, &a, b.constant);
	if (expr->op == OP_SHL && b.constant >= 0 && b.constant < 32)
		return form_add(&zero, &a, (int64_t)1 << b.constant);
	if (expr->op == OP_SHR && b.constant >= 0 && b.constant < 32)
		return form_quotient(walk, OP_FLOORDIV, &a, (int64_t)1 << b.constant);
	if (expr->op == OP_AND && b.constant >= 0)
		return form_range(0, b.constant);
	return form_unknown();
}

static struct form form_of(struct walk *walk, const struct expr *expr)
{
	struct form yes, no;

	if (type_is_float(expr->type))
		return form_unknown();
	switch (expr->kind) {
	case EXPR_INT:
		return form_constant(expr->integer);
	case EXPR_REF:
		return expr->n == 0 ? form_of_var(walk, expr->var) : form_of_element(walk, expr->var);
	case EXPR_OP:
		return form_of_op(walk, expr);
	case EXPR_CAST:
		return form_of(walk, expr->arg[0]);
	case EXPR_SELECT:
		yes = form_of(walk, expr->arg[1]);
		no = form_of(walk, expr->arg[2]);
		return form_union(walk, &yes, &no);
	default:
		return form_unknown();
	}
}

static bool fail(struct walk *walk, const struct var *var, const char *what)
{
	walk->failure->var = var;
	snprintf(walk->failure->why, sizeof(walk->failure->why), "%s of %s", what, var->name);
	return false;
}

/* Note that subscript "d" of "var" runs over [lo, hi], which its extent does not hold. */
static bool fail_extent(struct walk *walk, const struct var *var, int d, int64_t lo, int64_t hi)
{
	walk->failure->dimension = d;
	walk->failure->lo = lo;
	walk->failure->hi = hi;
	return fail(walk, var, "a subscript leaves the extents");
}

/* Whether the loops around run at all, as far as their bounds tell. */
static bool is_reached(const struct walk *walk)
{
	int d;

	for (d = 0; d < walk->depth; d++) {
		struct form trips = form_add(&walk->last[d], &walk->first[d], -1);

		if (extreme(walk, trips, true) < 0)
			return false;
	}
	return true;
}

/* Widen the box of the array that "expr" touches. */
static bool touch(struct walk *walk, const struct expr *expr)
{
	const struct var *var = expr->var;
	int d, v = var_index(walk->nest, var);
	struct form flat = {0};

	for (d = 0; d < expr->n; d++) {
		struct form index = form_of(walk, expr->arg[d]), zero = {0};
		int64_t extent = unbounded, lo = extreme(walk, index, false), hi = extreme(walk, index, true);

		if (form_is_unknown(&index))
			return fail(walk, var, "no bounds are known for a subscript");
		int64_t pitch = 1;

		if (d > 0 && !extent_pitch(walk->nest, walk->shape, var, d, &pitch))
			return fail(walk, var, "an extent cannot be computed");
		if (var->extent[d])
			extent_evaluate(walk->nest, walk->shape, var->extent[d], &extent);
		if (var->extent[d] && (lo < 0 || hi >= extent) && walk->guards)
			index = form_range(lo < 0 ? 0 : lo, hi >= extent ? extent - 1 : hi);
		else if (var->extent[d] && (lo < 0 || hi >= extent) && (d > 0 || var->is_object) && hi >= lo)
			return fail_extent(walk, var, d, lo, hi);
		flat = form_add(&zero, &flat, pitch);
		flat = form_add(&flat, &index, 1);
	}
	if (extreme(walk, flat, false) < walk->box[v].lo)
		walk->box[v].lo = extreme(walk, flat, false);
	if (extreme(walk, flat, true) > walk->box[v].hi)
		walk->box[v].hi = extreme(walk, flat, true);
	return true;
}

/* Widen the boxes of all arrays that "expr" reads; what a condition may spare counts only within extents. */
static bool touch_all(struct walk *walk, const struct expr *expr)
{
	bool spares =
		expr->kind == EXPR_SELECT || (expr->kind == EXPR_OP && (expr->op == OP_LAND || expr->op == OP_LOR));
	int i;

	for (i = 0; i < expr->n; i++) {
		bool touched;

		walk->guards += spares && i > 0;
		touched = touch_all(walk, expr->arg[i]);
		walk->guards -= spares && i > 0;
		if (!touched)
			return false;
	}
	return expr->kind != EXPR_REF || expr->var->kind != VAR_ARRAY || touch(walk, expr);
}

static struct form *hold(struct walk *walk, const struct var *var)
{
	int i;

	for (i = 0; i < walk->n_local; i++)
		if (walk->local[i] == var)
			return &walk->held[i];
	if (walk->n_local == locals_most)
		return NULL;
	walk->local[walk->n_local] = var;
	return &walk->held[walk->n_local++];
}

static bool forget_target(struct node *node, void *context)
{
	struct walk *walk = context;
	struct form *held;

	if (node->kind != NODE_STMT || node->target->n > 0 || type_is_float(node->target->type))
		return true;
	held = hold(walk, node->target->var);
	if (held)
		*held = form_unknown();
	return true;
}

static double form_middle(const struct walk *walk, const struct form *form)
{
	double value = (double)form->constant + 0.5 * ((double)form->lo + (double)form->hi);
	int d;

	for (d = 0; d < walk->depth; d++)
		value += (double)form->factor[d] * walk->middle[d];
	return value;
}

static bool walk_list(struct walk *walk, const struct list *list, double times);

static bool walk_loop(struct walk *walk, struct node *node, double times)
{
	struct form first, last, one = form_constant(1), trips;
	double count, lo, hi;
	bool done;

	if (walk->depth == depth_most)
		return fail(walk, node->iter, "too many loops around the loop");
	list_walk(&node->body, forget_target, walk);
	if (!touch_all(walk, node->lo) || !touch_all(walk, node->hi))
		return false;
	first = form_of(walk, node->lo);
	last = form_of(walk, node->hi);
	last = form_add(&last, &one, -1);
	trips = form_add(&last, &first, -1);
	if (node->step > 1 && extreme(walk, trips, false) == extreme(walk, trips, true))
		last = form_add(&last, &one, -(extreme(walk, trips, true) % node->step));
	lo = form_middle(walk, &first);
	hi = form_middle(walk, &last);
	count = (hi - lo) / (double)node->step + 1;
	walk->iter[walk->depth] = node->iter;
	walk->first[walk->depth] = first;
	walk->last[walk->depth] = last;
	walk->middle[walk->depth++] = 0.5 * (lo + hi);
	done = !is_reached(walk) || walk_list(walk, &node->body, count > 0 ? times * count : 0);
	walk->depth--;
	list_walk(&node->body, forget_target, walk);
	return done;
}

static bool walk_stmt(struct walk *walk, struct node *node, double times)
{
	struct form value, *held;

	walk->work += times;
	if (!touch_all(walk, node->target) || (node->value && !touch_all(walk, node->value)))
		return false;
	if (node->target->n > 0 || type_is_float(node->target->type) || node->target->var->kind == VAR_ARRAY)
		return true;
	value = node->value && node->op == OP_NONE ? form_of(walk, node->value) : form_unknown();
	held = hold(walk, node->target->var);
	if (held)
		*held = value;
	return true;
}

static bool walk_if(struct walk *walk, struct node *node, double times)
{
	bool walked;

	if (!touch_all(walk, node->cond))
		return false;
	walk->guards++;
	walked = walk_list(walk, &node->body, times) && walk_list(walk, &node->orelse, times);
	walk->guards--;
	if (!walked)
		return false;
	list_walk(&node->body, forget_target, walk);
	list_walk(&node->orelse, forget_target, walk);
	return true;
}

static bool walk_list(struct walk *walk, const struct list *list, double times)
{
	int i;

	for (i = 0; i < list->n; i++) {
		struct node *node = list->node[i];
		bool done = node->kind == NODE_LOOP ? walk_loop(walk, node, times)
			    : node->kind == NODE_IF ? walk_if(walk, node, times)
						    : walk_stmt(walk, node, times);

		if (!done)
			return false;
	}
	return true;
}

bool extent_pitch(const struct nest *nest, const struct shape *shape, const struct var *var, int d, int64_t *value)
{
	enum { ROOM = 3 };

	if (!var->extent[d] || !extent_evaluate(nest, shape, var->extent[d], value))
		return false;
	*value += var->is_rows ? ROOM : 0;
	return true;
}

bool extent_boxes(const struct nest *nest, const struct signature *signature, const struct shape *shape,
		  struct box *box, double *work, struct extent_failure *failure)
{
	struct walk *walk = memory_alloc(sizeof(*walk));
	bool done;
	int v;

	walk->nest = nest;
	walk->signature = signature;
	walk->shape = shape;
	walk->box = box;
	walk->failure = failure;
	memset(failure, 0, sizeof(*failure));
	for (v = 0; v < nest->n_var; v++)
		box[v] = (struct box){unbounded, -unbounded};
	done = walk_list(walk, &nest->body, 1);
	for (v = 0; v < nest->n_var; v++)
		if (box[v].hi < box[v].lo)
			box[v] = (struct box){0, -1};
	*work = walk->work;
	free(walk);
	return done;
}
