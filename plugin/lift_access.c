#include "lift_internal.h"

#include <string.h>

/* Whether a pointer into a row was moved such that it may have left the row. */
static bool leaves_rows(struct lifter *lifter, const struct base *base)
{
	for (int i = 0; i < lifter->n_access; i++) {
		const struct access *const access = &lifter->access[i];
		const int last = access->place.n - 1;
		struct poly *least, *room;
		int64_t value;

		if (access->place.base != base || !access->place.moved || base->is_rows)
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

/* Whether subscript "d" is never negative: proved, known where it is used, or assumed of what are sizes and offsets by the look
 * of it. */
static bool starts_at_zero(struct lifter *lifter, const struct access *access, int d)
{
	struct poly *const least = range_bound(lifter, access->place.sub[d], access->around, access->n_around, -1);

	if (access->n_known && range_assume_at(lifter, access->place.sub[d], access))
		return true;
	for (int i = 0; least && i < least->n; i++)
		if (least->term[i].n && least->term[i].coef < 0)
			return false;
	return least && range_assume(lifter, access->place.sub[d], access->around, access->n_around);
}

/* The largest subscript "d" at "access", by its loops or by a condition around it if that says less. */
static struct poly *largest(struct lifter *lifter, const struct access *access, int d)
{
	struct poly *most = range_bound(lifter, access->place.sub[d], access->around, access->n_around, 1);

	for (int i = 0; i < access->n_known; i++) {
		struct poly *const sum = poly_add(lifter, access->place.sub[d], access->known[i], 1);
		struct poly *const other = range_bound(lifter, sum, access->around, access->n_around, 1);
		bool is_less = other && most;

		for (int j = 0; is_less && j < poly_add(lifter, most, other, -1)->n; j++)
			is_less = poly_add(lifter, most, other, -1)->term[j].coef > 0;
		if (other && (!most || is_less))
			most = other;
	}
	return most;
}

/* One more than the largest subscript "d", over params, the smallest being at least 0; NULL if it is not known. */
static struct expr *used_extent(struct lifter *lifter, const struct base *base, int d)
{
	const int n_assumption = lifter->nest->n_assumption;
	struct poly *known[16];
	struct expr *extent = NULL;
	int n = 0;

	for (int i = 0; i < lifter->n_access; i++) {
		const struct access *const access = &lifter->access[i];
		struct poly *most;
		int64_t difference;
		bool covered = false;

		if (access->place.base != base)
			continue;
		most = largest(lifter, access, d);
		if (!most || !starts_at_zero(lifter, access, d)) {
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
	var->extent[0] = base->size ? poly_expr(lifter, base->size, TYPE_I32) : used_extent(lifter, base, 0);
	if (base->is_rows)
		var->extent[1] = used_extent(lifter, base, 1);
	if (base->is_rows && (!var->extent[0] || !var->extent[1]))
		lift_refuse(lifter, REFUSAL_POINTER, lifter->input->stmt[0], "it is not known how far '%s' is used", base->key);
	for (int d = 1; d < var->rank && !base->is_rows; d++)
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
		base->var->is_rows = base->is_rows;
		if (base->n_dim == 0)
			delinearize(lifter, base);
		set_rank(lifter, base);
	}
	for (int i = 0; i < lifter->n_access; i++)
		complete(lifter, &lifter->access[i]);
	list_walk(&lifter->nest->body, mark_node, NULL);
	for (int i = 0; i < lifter->n_base; i++)
		lifter->base[i]->var->is_const = lifter->base[i]->var->is_const && !lifter->base[i]->var->is_written;
	check_aliases(lifter);
}
