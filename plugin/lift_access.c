#include "lift_internal.h"

#include <string.h>

/* Dimensions found in the flat subscripts of a base: stride[0] > stride[1] > .. > 1, each divisible by the next. */
struct shape {
	int n;
	struct term stride[LIFT_RANK];
};

/* The params of "term", with coefficient 1, and how many other atoms it has. */
static int term_params(const struct lifter *lifter, const struct term *term, struct term *params)
{
	int others = 0;

	*params = (struct term){.coef = 1};
	for (int i = 0; i < term->n; i++) {
		if (lifter->atom[term->atom[i]].is_param)
			params->atom[params->n++] = term->atom[i];
		else
			others++;
	}
	return others;
}

static bool same_product(const struct term *a, const struct term *b)
{
	return a->n == b->n && memcmp(a->atom, b->atom, sizeof(int) * (size_t)a->n) == 0;
}

static int64_t gcd(int64_t a, int64_t b)
{
	while (b) {
		const int64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a < 0 ? -a : a;
}

/* Note the strides of iterators and other changing values in "poly"; false if a term multiplies two of them. */
static bool note_strides(struct lifter *lifter, const struct poly *poly, struct shape *shape)
{
	for (int i = 0; i < poly->n; i++) {
		struct term params;
		const int others = term_params(lifter, &poly->term[i], &params);
		bool known = false;

		if (others > 1)
			return false;
		if (others == 0 || params.n == 0)
			continue;
		for (int j = 0; j < shape->n; j++)
			known = known || same_product(&shape->stride[j], &params);
		if (!known && shape->n == LIFT_RANK - 1)
			return false;
		if (!known)
			shape->stride[shape->n++] = params;
	}
	return true;
}

/* Give each stride the common divisor of all coefficients that stand before its product of params. */
static void note_coefficients(struct lifter *lifter, const struct poly *poly, struct shape *shape, int64_t *divisor)
{
	for (int i = 0; i < poly->n; i++) {
		struct term params;

		term_params(lifter, &poly->term[i], &params);
		for (int j = 0; j < shape->n; j++)
			if (same_product(&shape->stride[j], &params))
				divisor[j] = gcd(divisor[j], poly->term[i].coef);
	}
}

static bool divides(struct lifter *lifter, const struct term *term, const struct term *divisor, struct poly **quotient)
{
	const struct poly poly = {.n = 1, .term = (struct term *)term};

	return poly_divide(lifter, &poly, divisor, quotient);
}

/* Order the strides outermost first, and leave out those that do not divide the one before: their terms belong to the
 * last dimension. */
static void order_strides(struct lifter *lifter, struct shape *shape)
{
	struct poly *quotient;
	int kept = 1;

	for (int i = 0; i < shape->n; i++) {
		for (int j = i + 1; j < shape->n; j++) {
			if (shape->stride[j].n > shape->stride[i].n) {
				const struct term swap = shape->stride[i];

				shape->stride[i] = shape->stride[j];
				shape->stride[j] = swap;
			}
		}
	}
	for (int i = 1; i < shape->n; i++)
		if (divides(lifter, &shape->stride[kept - 1], &shape->stride[i], &quotient))
			shape->stride[kept++] = shape->stride[i];
	shape->stride[kept++] = (struct term){.coef = 1};
	shape->n = kept;
}

static bool find_shape(struct lifter *lifter, const struct base *base, struct shape *shape)
{
	int64_t divisor[LIFT_RANK] = {0};

	shape->n = 0;
	for (int i = 0; i < lifter->n_access; i++)
		if (lifter->access[i].place.base == base && !note_strides(lifter, lifter->access[i].place.sub[0], shape))
			return false;
	if (shape->n == 0)
		return false;
	for (int i = 0; i < lifter->n_access; i++)
		if (lifter->access[i].place.base == base)
			note_coefficients(lifter, lifter->access[i].place.sub[0], shape, divisor);
	for (int i = 0; i < shape->n; i++)
		shape->stride[i].coef = divisor[i];
	order_strides(lifter, shape);
	return true;
}

/* Distribute the terms of the flat subscript "poly" over the dimensions of "shape". */
static void split_subscript(struct lifter *lifter, const struct shape *shape, const struct poly *poly, struct poly **sub)
{
	for (int d = 0; d < shape->n; d++) {
		sub[d] = poly_const(lifter, 0);
		sub[d]->is_wide = poly->is_wide;
	}
	for (int i = 0; i < poly->n; i++) {
		struct poly *quotient = NULL;
		int d = 0;

		while (!divides(lifter, &poly->term[i], &shape->stride[d], &quotient))
			d++;
		sub[d] = poly_add(lifter, sub[d], quotient, 1);
	}
}

/* The size of dimension d > 0. */
static struct poly *shape_extent(struct lifter *lifter, const struct shape *shape, int d)
{
	struct poly *extent;

	divides(lifter, &shape->stride[d - 1], &shape->stride[d], &extent);
	return extent;
}

/* Whether the largest value of "sub" holds a product of the dimension's size: the dimension is then none. */
static bool is_overfull(struct lifter *lifter, const struct access *access, const struct poly *sub, const struct poly *extent)
{
	struct poly *const most = range_bound(lifter, sub, access->around, access->n_around, 1);

	if (!most || extent->n != 1 || extent->term[0].n == 0)
		return false;
	for (int i = 0; i < most->n; i++) {
		struct term unit = extent->term[0];
		struct poly *quotient;

		unit.coef = 1;
		if (most->term[i].coef > 0 && most->term[i].n > unit.n && divides(lifter, &most->term[i], &unit, &quotient))
			return true;
	}
	return false;
}

/* Prove or assume that each subscript but the first stays within its dimension. */
static bool shape_holds(struct lifter *lifter, const struct base *base, const struct shape *shape)
{
	for (int i = 0; i < lifter->n_access; i++) {
		const struct access *const access = &lifter->access[i];
		struct poly *sub[LIFT_RANK];

		if (access->place.base != base)
			continue;
		split_subscript(lifter, shape, access->place.sub[0], sub);
		for (int d = 1; d < shape->n; d++) {
			struct poly *const extent = shape_extent(lifter, shape, d);
			struct poly *const last = poly_add(lifter, extent, poly_const(lifter, 1), -1);

			if (is_overfull(lifter, access, sub[d], extent) ||
			    !range_assume(lifter, sub[d], access->around, access->n_around) ||
			    !range_assume(lifter, poly_add(lifter, last, sub[d], -1), access->around, access->n_around))
				return false;
		}
	}
	return true;
}

/* Prove or assume that the elements which the shape covers are all in an array of known size. */
static bool shape_fits(struct lifter *lifter, struct base *base, const struct shape *shape)
{
	const struct poly row = {.n = 1, .term = (struct term *)&shape->stride[0]};

	if (!base->size)
		return true;
	for (int i = 0; i < lifter->n_access; i++) {
		const struct access *const access = &lifter->access[i];
		struct poly *sub[LIFT_RANK], *covered;

		if (access->place.base != base)
			continue;
		split_subscript(lifter, shape, access->place.sub[0], sub);
		covered = poly_mul(lifter, poly_add(lifter, sub[0], poly_const(lifter, 1), 1), &row);
		if (!covered ||
		    !range_assume(lifter, poly_add(lifter, base->size, covered, -1), access->around, access->n_around))
			return false;
	}
	base->size = NULL;
	return true;
}

static void set_shape(struct lifter *lifter, struct base *base, const struct shape *shape)
{
	for (int d = 1; d < shape->n; d++)
		base->dim[d - 1] = shape_extent(lifter, shape, d);
	base->n_dim = shape->n - 1;
	for (int i = 0; i < lifter->n_access; i++) {
		struct access *const access = &lifter->access[i];
		struct poly *sub[LIFT_RANK];

		if (access->place.base != base)
			continue;
		split_subscript(lifter, shape, access->place.sub[0], sub);
		memcpy(access->place.sub, sub, sizeof(sub));
		access->place.n = shape->n;
	}
}

static void delinearize(struct lifter *lifter, struct base *base)
{
	const int n_assumption = lifter->nest->n_assumption;
	struct shape shape;

	if (!find_shape(lifter, base, &shape))
		return;
	if (shape_holds(lifter, base, &shape) && shape_fits(lifter, base, &shape))
		set_shape(lifter, base, &shape);
	else
		lifter->nest->n_assumption = n_assumption;
}

/* Whether a pointer into a row was moved such that it may have left the row. */
static bool leaves_rows(struct lifter *lifter, const struct base *base)
{
	for (int i = 0; i < lifter->n_access; i++) {
		const struct access *const access = &lifter->access[i];
		const int last = access->place.n - 1;
		struct poly *least, *room;
		int64_t value;

		if (access->place.base != base || !access->place.moved)
			continue;
		least = range_bound(lifter, access->place.sub[last], access->around, access->n_around, -1);
		room = poly_add(lifter, base->dim[last - 1], access->place.sub[last], -1);
		room = range_bound(lifter, room, access->around, access->n_around, -1);
		if (!least || !room || !poly_is_const(least, &value) || value < 0 || !poly_is_const(room, &value) || value < 1)
			return true;
	}
	return false;
}

/* The larger of two sizes. */
static struct expr *larger(struct lifter *lifter, struct expr *a, struct expr *b)
{
	enum type type;

	if (!a || expr_equal(a, b))
		return b;
	type = a->type == TYPE_I64 || b->type == TYPE_I64 ? TYPE_I64 : TYPE_I32;
	if (a->kind == EXPR_INT && b->kind == EXPR_INT)
		return a->integer > b->integer ? a : b;
	return expr_binary(lifter->arena, OP_MAX, expr_cast(lifter->arena, type, a), expr_cast(lifter->arena, type, b));
}

/* One more than the largest first subscript, over params, the smallest being at least 0; NULL if it is not known. */
static struct expr *first_extent(struct lifter *lifter, const struct base *base)
{
	const int n_assumption = lifter->nest->n_assumption;
	struct poly *known[16];
	struct expr *extent = NULL;
	int n = 0;

	if (base->size)
		return poly_expr(lifter, base->size, TYPE_I32);
	for (int i = 0; i < lifter->n_access; i++) {
		const struct access *const access = &lifter->access[i];
		struct poly *most;
		int64_t difference;
		bool covered = false;

		if (access->place.base != base)
			continue;
		most = range_bound(lifter, access->place.sub[0], access->around, access->n_around, 1);
		if (!most || !range_assume(lifter, access->place.sub[0], access->around, access->n_around)) {
			lifter->nest->n_assumption = n_assumption;
			return NULL;
		}
		for (int j = 0; j < n && !covered; j++) {
			covered = poly_is_const(poly_add(lifter, most, known[j], -1), &difference);
			if (covered && difference > 0)
				known[j] = most;
		}
		if (!covered && n == 16)
			return NULL;
		if (!covered)
			known[n++] = most;
	}
	for (int j = 0; j < n; j++) {
		const struct poly *const size = poly_add(lifter, known[j], poly_const(lifter, 1), 1);

		extent = larger(lifter, extent, poly_expr(lifter, size, poly_type(lifter, size)));
	}
	return extent;
}

static void set_rank(struct lifter *lifter, struct base *base)
{
	struct var *const var = base->var;

	var->rank = base->n_dim + 1;
	var->extent = ARENA_ARRAY(lifter->arena, struct expr *, var->rank);
	var->extent[0] = first_extent(lifter, base);
	for (int d = 1; d < var->rank; d++)
		var->extent[d] = poly_expr(lifter, base->dim[d - 1], poly_type(lifter, base->dim[d - 1]));
}

static void complete(struct lifter *lifter, struct access *access)
{
	struct expr *const ref = access->ref;

	ref->n = access->place.n;
	ref->arg = ARENA_ARRAY(lifter->arena, struct expr *, ref->n);
	for (int d = 0; d < ref->n; d++) {
		struct poly *const sub = access->place.sub[d];

		ref->arg[d] = poly_expr(lifter, sub, poly_type(lifter, sub));
	}
}

static bool mark_read(struct expr *expr, void *context)
{
	(void)context;
	if (expr->kind == EXPR_REF && expr->var->kind == VAR_ARRAY)
		expr->var->is_read = true;
	return true;
}

static bool mark_expr(struct expr *expr, void *context)
{
	return expr_walk(expr, mark_read, context);
}

/* Say of each array whether the nest reads and writes it. */
static bool mark_node(struct node *node, void *context)
{
	struct node reads = *node;

	if (node->kind == NODE_STMT) {
		if (node->target->var->kind == VAR_ARRAY)
			node->target->var->is_written = true;
		for (int i = 0; i < node->target->n; i++)
			expr_walk(node->target->arg[i], mark_read, context);
		if (node->op == OP_NONE)
			reads.target = NULL;
	}
	if (reads.kind == NODE_STMT && !reads.target)
		return !node->value || expr_walk(node->value, mark_read, context);
	return node_exprs(&reads, mark_expr, context);
}

static bool is_used(const struct lifter *lifter, const struct base *base)
{
	for (int i = 0; i < lifter->n_access; i++)
		if (lifter->access[i].place.base == base)
			return true;
	return false;
}

static void drop_var(struct lifter *lifter, const struct var *var)
{
	struct nest *const nest = lifter->nest;

	for (int i = 0; i < nest->n_var; i++) {
		if (nest->var[i] != var)
			continue;
		memmove(&nest->var[i], &nest->var[i + 1], sizeof(nest->var[0]) * (size_t)(nest->n_var - i - 1));
		nest->n_var--;
		return;
	}
}

/* A scalar that is read from memory must not lie where a pointer of the same type may write. */
static void check_aliases(struct lifter *lifter)
{
	for (int i = 0; i < lifter->n_base; i++) {
		const struct base *const base = lifter->base[i];

		if (!base->var->is_written || base->var->kind != VAR_ARRAY || base->is_array)
			continue;
		for (int j = 0; j < lifter->n_symbol; j++) {
			const struct symbol *const symbol = lifter->symbol[j];
			enum type type;

			if (!symbol->var || symbol->var->kind == VAR_LOCAL || !type_of(symbol->type, &type) ||
			    type != base->var->type)
				continue;
			if (symbol->is_path ? strstr(symbol->path, "->") != NULL || strchr(symbol->path, '[') || *symbol->path == '(' :
					      clang_Cursor_hasVarDeclGlobalStorage(symbol->decl) == 1)
				lift_refuse(lifter, REFUSAL_ALIAS, symbol->where, "'%s' may be overwritten through '%s'", symbol->path,
					    base->key);
		}
	}
}

void accesses_finish(struct lifter *lifter)
{
	for (int i = 0; i < lifter->n_base; i++) {
		struct base *const base = lifter->base[i];

		if (!is_used(lifter, base)) {
			drop_var(lifter, base->var);
			continue;
		}
		if (base->n_dim && leaves_rows(lifter, base))
			lift_refuse(lifter, REFUSAL_POINTER, lifter->input->stmt[0], "a pointer runs over the rows of '%s'",
				    base->key);
		if (base->var->kind == VAR_LOCAL)
			continue;
		base->var->is_native = base->n_dim > 0;
		if (base->n_dim == 0)
			delinearize(lifter, base);
		set_rank(lifter, base);
	}
	for (int i = 0; i < lifter->n_access; i++)
		complete(lifter, &lifter->access[i]);
	list_walk(&lifter->nest->body, mark_node, NULL);
	check_aliases(lifter);
}
