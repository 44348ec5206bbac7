#include "action_footprint.h"
#include "isl_apart.h"

enum { PACK_LOOPS_MAX = 8, PACK_BYTES_MAX = 1 << 26 };

/* A local buffer that holds what a loop reads of an array.
 *   layout    the loops of the buffer's dimensions, outermost first; each runs over elements or tiles of one dimension
 *   lo, hi    the range of each one's iterator while the buffer is filled; it counts from "base"
 *   extent    how many values it takes */
struct pack {
	struct rewrite *rewrite;
	const struct footprint *footprint;
	int n;
	struct node *layout[PACK_LOOPS_MAX];
	struct bound lo[PACK_LOOPS_MAX], hi[PACK_LOOPS_MAX];
	struct sum base[PACK_LOOPS_MAX];
	int64_t extent[PACK_LOOPS_MAX];
	struct var *buffer;
};

static int layout_find(const struct pack *pack, const struct node *loop)
{
	for (int i = 0; i < pack->n; i++)
		if (pack->layout[i] == loop)
			return i;
	return -1;
}

/* Take the loops named in "list" as the layout. */
static enum status name_layout(struct pack *pack, const struct node *at, const struct arg *list)
{
	for (int i = 0; list && i < list->n; i++) {
		struct node *loop = rewrite_find_loop(pack->rewrite, &list->item[i]);

		if (!loop)
			return STATUS_FAILED;
		if (!node_holds(at, loop) || layout_find(pack, loop) >= 0 || pack->n == PACK_LOOPS_MAX)
			return refuse(pack->rewrite, "%s is not inside %s, or named twice", loop->iter->name, at->iter->name);
		pack->layout[pack->n++] = loop;
	}
	return STATUS_OK;
}

/* Check that the layout has the loops that the subscripts run over; without names they become the layout, in the order of the
 * subscripts. */
static enum status complete_layout(struct pack *pack, bool is_named)
{
	struct rewrite *rewrite = pack->rewrite;
	const struct footprint *footprint = pack->footprint;

	for (int d = 0; d < footprint->var->rank; d++) {
		const struct axis *axis = &footprint->axis[d];

		if (axis_is_fixed(axis))
			continue;
		if (axis->n != 1 || axis->low != axis->high)
			return refuse(rewrite, "a subscript of %s is more than an iterator plus something fixed; promote it instead",
				      footprint->var->name);
		if (layout_find(pack, axis->loop[0]) >= 0)
			continue;
		if (is_named || pack->n == PACK_LOOPS_MAX)
			return refuse(rewrite, "the layout lacks %s, which subscripts %s", axis->loop[0]->iter->name,
				      footprint->var->name);
		pack->layout[pack->n++] = axis->loop[0];
	}
	return pack->n ? STATUS_OK : refuse(rewrite, "%s reads a single element of %s; promote it instead",
					    footprint->at->iter->name, footprint->var->name);
}

/* Compute the ranges of the layout's loops and make the buffer. */
static enum status make_buffer(struct pack *pack)
{
	struct rewrite *rewrite = pack->rewrite;
	const struct var *var = pack->footprint->var;
	struct expr *extent[PACK_LOOPS_MAX];
	int64_t bytes = type_size(var->type);

	for (int i = 0; i < pack->n; i++) {
		pack->extent[i] = loop_extent(rewrite, pack->footprint->at, pack->layout[i], pack->n,
					      (const struct node *const *)pack->layout, &pack->lo[i], &pack->hi[i], &pack->base[i]);
		if (pack->extent[i] < 0)
			return refuse(rewrite, "%s has no constant number of iterations; tile(%s:16) would help",
				      pack->layout[i]->iter->name, pack->layout[i]->iter->name);
		if (__builtin_mul_overflow(bytes, pack->extent[i], &bytes) || bytes > PACK_BYTES_MAX)
			return refuse(rewrite, "the buffer for %s would be larger than %d bytes", var->name, PACK_BYTES_MAX);
		extent[i] = expr_int(rewrite->arena, pack->extent[i], TYPE_I32);
	}
	pack->buffer = derived_var(rewrite, var, "p", var->type, pack->n, extent);
	return STATUS_OK;
}

/* The buffer's element for the current iterators. */
static struct expr *buffer_element(const struct pack *pack)
{
	struct arena *arena = pack->rewrite->arena;
	struct expr *place[PACK_LOOPS_MAX];

	for (int i = 0; i < pack->n; i++) {
		struct expr *iter = expr_scalar(arena, pack->layout[i]->iter);

		place[i] = expr_binary(arena, OP_SUB, iter, sum_expr(arena, &pack->base[i], iter->type));
		if (pack->layout[i]->step != 1)
			place[i] = expr_binary(arena, OP_DIV, place[i], expr_int(arena, pack->layout[i]->step, iter->type));
	}
	return expr_ref(arena, pack->buffer, pack->n, place);
}

static struct expr *buffer_ref(const struct replacement *replacement, struct expr *reference)
{
	const struct pack *pack = replacement->context;

	return footprint_takes(pack->footprint, reference) ? buffer_element(pack) : reference;
}

/* The array's element for the current iterators. */
static struct expr *array_element(const struct pack *pack)
{
	const struct footprint *footprint = pack->footprint;
	struct arena *arena = pack->rewrite->arena;
	struct expr *subscript[AXES_MAX];

	for (int d = 0; d < footprint->var->rank; d++) {
		const struct axis *axis = &footprint->axis[d];
		struct sum sum = axis->rest, iter;

		sum.constant += axis->low;
		if (axis->n && sum_of(expr_scalar(arena, axis->loop[0]->iter), &iter))
			sum_add(&sum, 1, &iter, &sum);
		subscript[d] = sum_expr(arena, &sum, axis->subscript_type);
	}
	return expr_ref(arena, (struct var *)footprint->var, footprint->var->rank, subscript);
}

/* The layout's loops, in the order in which they stand in the nest, around the copying of an element. */
static struct node *filling_nest(const struct pack *pack)
{
	struct arena *arena = pack->rewrite->arena;
	struct node *node = made_statement(pack->rewrite, buffer_element(pack), OP_NONE, array_element(pack));
	bool is_done[PACK_LOOPS_MAX] = { false };

	for (int done = 0; done < pack->n; done++) {
		const struct var *iter;
		struct node *loop;
		int inner = -1;

		for (int i = 0; i < pack->n; i++)
			if (!is_done[i] && (inner < 0 || node_holds(pack->layout[inner], pack->layout[i])))
				inner = i;
		is_done[inner] = true;
		iter = pack->layout[inner]->iter;
		loop = node_loop(arena, (struct var *)iter, bound_expr(arena, &pack->lo[inner], false, iter->type),
				 bound_expr(arena, &pack->hi[inner], true, iter->type), pack->layout[inner]->step);
		list_add(arena, &loop->body, node);
		node = loop;
	}
	return node;
}

/* A walk over the statements that write the array, or with "write" set over those that read what is packed. */
struct meeting {
	struct rewrite *rewrite;
	const struct footprint *footprint;
	struct node *reader;
	struct node *write;
	bool is_fine;
};

/* Compare a packed reference with the write. */
static bool visit_read(struct expr *expr, void *context)
{
	struct meeting *meeting = context;
	const struct rewrite *rewrite = meeting->rewrite;
	const struct site_of_ref read = { meeting->reader, expr }, write = { meeting->write, meeting->write->target };

	if (expr->kind == EXPR_REF && expr->var == meeting->footprint->var && footprint_takes(meeting->footprint, expr))
		meeting->is_fine = references_are_apart(rewrite->workspace->dependences, rewrite->nest,
							nest_find_path(rewrite->nest, meeting->footprint->at).n, &read, &write);
	return meeting->is_fine;
}

static bool visit_reader(struct node *node, void *context)
{
	struct meeting *meeting = context;

	meeting->reader = node;
	return node->kind != NODE_STMT || !node->value || expr_walk(node->value, visit_read, meeting);
}

static bool visit_writer(struct node *node, void *context)
{
	struct meeting *meeting = context;

	if (node->kind != NODE_STMT || node->target->var != meeting->footprint->var)
		return true;
	meeting->write = node;
	return list_walk(&meeting->footprint->at->body, visit_reader, meeting);
}

/* Whether what is written to the array inside the loop is never what was packed before it. */
static enum status check_writes(struct rewrite *rewrite, const struct footprint *footprint)
{
	struct meeting meeting = { .rewrite = rewrite, .footprint = footprint, .is_fine = true };

	if (footprint->is_written || !list_walk(&footprint->at->body, visit_writer, &meeting))
		return refuse(rewrite, "%s is written inside %s; promote it instead", footprint->var->name,
			      footprint->at->iter->name);
	return STATUS_OK;
}

enum status action_pack(struct rewrite *rewrite, const struct action *action)
{
	struct footprint footprint;
	struct pack pack = { .rewrite = rewrite, .footprint = &footprint };
	struct replacement replacement = { rewrite, NULL, buffer_ref, &pack };
	struct spot spot;
	struct var *var;
	struct node *at;

	if (action->n < 2 || action->n > 3 || action->arg[0].kind != ARG_NAME || (action->n == 3 && action->arg[2].kind != ARG_LIST))
		return refuse(rewrite, "pack needs an array, a loop and maybe a layout, as in pack(B, i, [k, j])");
	at = rewrite_find_loop(rewrite, &action->arg[1]);
	var = nest_find_var(rewrite->nest, action->arg[0].name);
	if (!at)
		return STATUS_FAILED;
	if (!var || var->kind != VAR_ARRAY)
		return refuse(rewrite, "%s is not an array", action->arg[0].name);
	if (name_layout(&pack, at, action->n == 3 ? &action->arg[2] : NULL) != STATUS_OK ||
	    footprint_of(rewrite, var, at, pack.n, pack.layout, &footprint) != STATUS_OK ||
	    check_writes(rewrite, &footprint) != STATUS_OK || complete_layout(&pack, action->n == 3) != STATUS_OK || make_buffer(&pack) != STATUS_OK)
		return STATUS_FAILED;
	if (!footprint_is_bound(&footprint))
		require_entered(rewrite, at);
	spot = nest_find_spot(rewrite->nest, at);
	list_insert(rewrite->arena, spot.list, spot.at, filling_nest(&pack));
	list_insert(rewrite->arena, spot.list, spot.at, made_declaration(rewrite, pack.buffer));
	replacement.from = var;
	node_replace_refs(&replacement, at);
	return STATUS_OK;
}
