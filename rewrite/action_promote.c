#include "action_footprint.h"

enum { PROMOTE_BYTES_MAX = 1 << 16 };

/* A local copy of a box of an array.
 *   iter    for each dimension, the iterator of the loops that copy it; NULL for a fixed one. It is the iterator of the
 *           subscripts themselves where these have just one and nothing else varies ("is_plain"), else it counts from the base
 *   local   the copy: one dimension for each that is not fixed */
struct copy {
	struct rewrite *rewrite;
	const struct footprint *footprint;
	struct var *local;
	struct var *iter[AXES_MAX];
	bool is_plain[AXES_MAX];
};

/* Refuse arrays of which the loop declares the memory itself. */
static enum status check_array(struct rewrite *rewrite, const struct var *var, const char *name, const struct node *at)
{
	if (!var || var->rank == 0 || (var->kind != VAR_ARRAY && var->kind != VAR_LOCAL))
		return refuse(rewrite, "%s is not an array", name);
	for (int i = 0; i < at->body.n; i++)
		if (at->body.node[i]->kind == NODE_STMT && at->body.node[i]->declares && at->body.node[i]->target->var == var)
			return refuse(rewrite, "%s is declared inside %s", name, at->iter->name);
	return STATUS_OK;
}

static enum status check_size(struct rewrite *rewrite, const struct footprint *footprint)
{
	int64_t bytes = type_size(footprint->var->type);

	for (int d = 0; d < footprint->var->rank; d++) {
		if (__builtin_mul_overflow(bytes, footprint->axis[d].extent, &bytes) || bytes > PROMOTE_BYTES_MAX)
			return refuse(rewrite, "what %s touches of %s is larger than %d bytes; tile it", footprint->at->iter->name,
				      footprint->var->name, PROMOTE_BYTES_MAX);
	}
	return STATUS_OK;
}

/* Whether the loop's own iterator serves to copy dimension "d". */
static bool is_plain(const struct copy *copy, int d)
{
	const struct axis *axis = &copy->footprint->axis[d];

	for (int e = 0; e < d; e++)
		if (axis->n == 1 && copy->iter[e] == axis->loop[0]->iter)
			return false;
	return axis->n == 1 && axis->low == axis->high;
}

static void make_local(struct copy *copy)
{
	const struct footprint *footprint = copy->footprint;
	struct expr *extent[AXES_MAX];
	int rank = 0;

	for (int d = 0; d < footprint->var->rank; d++) {
		const struct axis *axis = &footprint->axis[d];

		if (axis_is_fixed(axis))
			continue;
		extent[rank++] = expr_int(copy->rewrite->arena, axis->extent, TYPE_I32);
		copy->is_plain[d] = is_plain(copy, d);
		copy->iter[d] = copy->is_plain[d] ? axis->loop[0]->iter :
			derived_iterator(copy->rewrite, footprint->var, arena_printf(copy->rewrite->arena, "%d", d), TYPE_I32);
	}
	copy->local = derived_var(copy->rewrite, footprint->var, "r", footprint->var->type, rank, extent);
}

/* The element of the local that stands for the array's element with these subscripts. */
static struct expr *local_element(const struct copy *copy, struct expr *const *subscript)
{
	struct expr *place[AXES_MAX];
	int n = 0;

	for (int d = 0; d < copy->footprint->var->rank; d++)
		if (!axis_is_fixed(&copy->footprint->axis[d]))
			place[n++] = axis_place(copy->rewrite, &copy->footprint->axis[d], subscript[d]);
	return expr_ref(copy->rewrite->arena, copy->local, n, place);
}

static struct expr *local_ref(const struct replacement *replacement, struct expr *reference)
{
	const struct copy *copy = replacement->context;

	return footprint_takes(copy->footprint, reference) ? local_element(copy, reference->arg) : reference;
}

/* "constant" plus the bounds of the dimension's loops, each from the base of its loop on. */
static struct expr *place_now(const struct copy *copy, const struct axis *axis, const struct bound *bounds, bool is_upper,
			      int64_t constant)
{
	struct arena *arena = copy->rewrite->arena;
	struct expr *place = expr_int(arena, constant, TYPE_I32);

	for (int i = 0; i < axis->n; i++) {
		enum type type = axis->loop[i]->iter->type;
		struct bound bound = bounds[i];

		for (int j = 0; j < bound.n; j++)
			sum_add(&bound.term[j], -1, &axis->base[i], &bound.term[j]);
		place = expr_binary(arena, OP_ADD, expr_cast(arena, TYPE_I32, bound_expr(arena, &bound, is_upper, type)), place);
	}
	return place;
}

/* Where in the box the elements begin that a run of the loop touches: 0, or later at the edges. */
static struct expr *start_now(const struct copy *copy, const struct axis *axis)
{
	return place_now(copy, axis, axis->lo, false, 0);
}

/* Where they end: at the box's extent, or before it at the edges. */
static struct expr *end_now(const struct copy *copy, const struct axis *axis)
{
	return place_now(copy, axis, axis->hi, true, axis->high - axis->low - axis->n + 1);
}

/* The subscripts of the array's element that the copying loops are at. */
static void subscripts_at(const struct copy *copy, struct expr **subscript)
{
	struct arena *arena = copy->rewrite->arena;

	for (int d = 0; d < copy->footprint->var->rank; d++) {
		const struct axis *axis = &copy->footprint->axis[d];
		struct sum sum = axis->rest, part;

		sum.constant += axis->low;
		if (!copy->is_plain[d])
			for (int i = 0; i < axis->n; i++)
				sum_add(&sum, 1, &axis->base[i], &sum);
		if (copy->iter[d] && sum_of(expr_scalar(arena, copy->iter[d]), &part))
			sum_add(&sum, 1, &part, &sum);
		subscript[d] = sum_expr(arena, &sum, axis->subscript_type);
	}
}

/* The loop that copies dimension "d". */
static struct node *copying_loop(const struct copy *copy, int d)
{
	const struct axis *axis = &copy->footprint->axis[d];
	struct arena *arena = copy->rewrite->arena;

	if (!copy->is_plain[d])
		return node_loop(arena, copy->iter[d], start_now(copy, axis), end_now(copy, axis), 1);
	return node_loop(arena, copy->iter[d], bound_expr(arena, &axis->lo[0], false, copy->iter[d]->type),
			 bound_expr(arena, &axis->hi[0], true, copy->iter[d]->type), 1);
}

/* Loops over the box around local = array, or with "is_store" array = local. */
static struct node *copying_nest(const struct copy *copy, bool is_store)
{
	const struct var *var = copy->footprint->var;
	struct expr *subscript[AXES_MAX], *element, *local;
	struct node *node;

	subscripts_at(copy, subscript);
	element = expr_ref(copy->rewrite->arena, (struct var *)var, var->rank, subscript);
	local = local_element(copy, subscript);
	node = is_store ? made_statement(copy->rewrite, element, OP_NONE, local) :
		made_statement(copy->rewrite, local, OP_NONE, element);
	for (int d = var->rank - 1; d >= 0; d--) {
		struct node *loop;

		if (!copy->iter[d])
			continue;
		loop = copying_loop(copy, d);
		list_add(copy->rewrite->arena, &loop->body, node);
		node = loop;
	}
	return node;
}

/* let C.r = C[..] for a single element. */
static struct node *loading_declaration(const struct copy *copy)
{
	struct node *declaration = made_declaration(copy->rewrite, copy->local);
	struct expr *subscript[AXES_MAX];

	subscripts_at(copy, subscript);
	declaration->value = expr_ref(copy->rewrite->arena, (struct var *)copy->footprint->var, copy->footprint->var->rank, subscript);
	return declaration;
}

/* Put the declaration and the loads before the loop, the stores after it. */
static void place_copies(const struct copy *copy)
{
	const struct footprint *footprint = copy->footprint;
	struct arena *arena = copy->rewrite->arena;
	bool has_loads = !footprint->is_overwritten && copy->local->rank > 0;
	struct node *loads = has_loads ? copying_nest(copy, false) : NULL;
	struct node *declaration = footprint->is_overwritten || has_loads ? made_declaration(copy->rewrite, copy->local) :
		loading_declaration(copy);
	struct spot spot = nest_find_spot(copy->rewrite->nest, footprint->at);

	if (footprint->is_written)
		list_insert(arena, spot.list, spot.at + 1, copying_nest(copy, true));
	if (has_loads)
		list_insert(arena, spot.list, spot.at, loads);
	list_insert(arena, spot.list, spot.at, declaration);
}

enum status action_promote(struct rewrite *rewrite, const struct action *action)
{
	struct footprint footprint;
	struct copy copy = { .rewrite = rewrite, .footprint = &footprint };
	struct replacement replacement = { rewrite, NULL, local_ref, &copy };
	struct node *at;
	struct var *var;

	if (action->n != 2 || action->arg[0].kind != ARG_NAME)
		return refuse(rewrite, "promote needs an array and a loop, as in promote(C, k)");
	at = rewrite_find_loop(rewrite, &action->arg[1]);
	var = nest_find_var(rewrite->nest, action->arg[0].name);
	if (!at || check_array(rewrite, var, action->arg[0].name, at) != STATUS_OK ||
	    footprint_of(rewrite, var, at, 0, NULL, &footprint) != STATUS_OK || check_size(rewrite, &footprint) != STATUS_OK)
		return STATUS_FAILED;
	if (!var->is_read && !footprint.is_overwritten)
		return refuse(rewrite, "%s is only written, and not wholly by each run of %s", var->name, node_name(rewrite, at));
	make_local(&copy);
	if (!footprint_is_bound(&footprint))
		require_entered(rewrite, at);
	place_copies(&copy);
	replacement.from = var;
	node_replace_refs(&replacement, at);
	return STATUS_OK;
}
