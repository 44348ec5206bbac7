#include "band.h"

enum { LINE_BYTES = 64 };

static int leaf_of(const struct stmt_shape *stmt)
{
	return stmt->depth ? stmt->loop[stmt->depth - 1] : -1;
}

static bool is_in_leaf(const struct shape *shape, int s, int leaf)
{
	return leaf_of(&shape->stmt[s]) == leaf;
}

/* Whether a loop stands in "list" or below it. */
static bool has_loop(const struct list *list)
{
	for (int i = 0; i < list->n; i++) {
		const struct node *node = list->node[i];
		if (node->kind == NODE_LOOP || has_loop(&node->body) || has_loop(&node->orelse))
			return true;
	}
	return false;
}

/* Whether the body holds nothing but one loop, perhaps under a condition, which "order" moves inside. */
static bool holds_one_loop(const struct node *node)
{
	const struct node *child = node->body.n == 1 ? node->body.node[0] : NULL;
	if (!child || child->kind == NODE_STMT)
		return false;
	return child->kind == NODE_LOOP || (child->orelse.n == 0 && holds_one_loop(child));
}

static double stride_cost(int64_t stride, int element_size)
{
	double bytes;
	if (stride == STRIDE_UNKNOWN)
		return 1;
	bytes = (double)(stride < 0 ? -stride : stride) * element_size;
	return bytes > LINE_BYTES ? 1 : bytes / LINE_BYTES;
}

/* Fold what "access" does along depth "d" into "loop". */
static void loop_add_access(struct band_loop *loop, const struct access_shape *access, int d)
{
	int64_t stride = access->stride[d];
	loop->cost += stride_cost(stride, type_size(access->ref->type));
	loop->is_unit = loop->is_unit && (stride == 1 || (stride == 0 && !access->is_write));
	loop->is_store_unit = loop->is_store_unit && (!access->is_write || stride == 1);
	loop->reuse += stride == 0 && !access->is_write;
}

static void band_add_stmt(struct band *band, const struct stmt_shape *stmt)
{
	int size = type_size(stmt->node->target->type);
	for (int d = 0; d < band->n; d++) {
		struct band_loop *loop = &band->loop[d];
		bool is_private = stmt->node->target->n == 0 && d < stmt->private_depth;
		for (int a = 0; a < stmt->n_access; a++)
			loop_add_access(loop, &stmt->access[a], d);
		if (stmt->node->target->n == 0 && !is_private)
			loop->is_unit = false;
		loop->reduces = loop->reduces && (stmt_reduces(stmt, d) || stmt->node->declares);
	}
	for (int a = 0; a < stmt->n_access; a++)
		size = type_size(stmt->access[a].ref->type) > size ? type_size(stmt->access[a].ref->type) : size;
	band->element_size = size > band->element_size ? size : band->element_size;
	band->weight += stmt->weight;
	band->n_stmt++;
	if (!stmt->node->declares && (!band->stmt || stmt->n_access > band->stmt->n_access))
		band->stmt = stmt;
}

/* Whether the loop runs over tiles for the statements of the leaf, not over iterations of the original. */
static bool is_tile_loop(const struct shape *shape, int leaf, const struct node *loop)
{
	for (int s = 0; s < shape->n_stmt; s++) {
		const struct node *node = shape->stmt[s].node;
		for (int i = 0; is_in_leaf(shape, s, leaf) && i < node->n_origin; i++)
			if (expr_uses(node->origin[i], loop->iter))
				return false;
	}
	return true;
}

static void band_start(const struct draft *draft, int leaf, struct band *band)
{
	const struct shape *shape = draft->shape;
	const struct loop_shape *loop = &shape->loop[leaf];
	bool is_perfect = true;
	*band = (struct band){ .label = loop->label, .n = loop->depth + 1, .first = loop->depth };
	for (int at = leaf, d = loop->depth; at >= 0; at = shape->loop[at].parent, d--) {
		const struct loop_shape *here = &shape->loop[at];
		band->loop[d] = (struct band_loop){ .iter = here->node->iter->name, .trip = here->trip, .reduces = true,
						    .is_unit = true, .is_store_unit = true };
		is_perfect = is_perfect && (at == leaf || (holds_one_loop(here->node) && !is_tile_loop(shape, leaf, here->node)));
		if (is_perfect)
			band->first = d;
	}
}

static bool band_fill(const struct draft *draft, int leaf, struct band *band)
{
	const struct shape *shape = draft->shape;
	if (shape->loop[leaf].label < 0 || has_loop(&shape->loop[leaf].node->body))
		return false;
	band_start(draft, leaf, band);
	for (int s = 0; s < shape->n_stmt; s++)
		if (is_in_leaf(shape, s, leaf))
			band_add_stmt(band, &shape->stmt[s]);
	band->lanes = band->element_size ? draft->task->target->vector_bytes / band->element_size : 1;
	if (band->lanes < 1)
		band->lanes = 1;
	return band->stmt != NULL;
}

bool band_find(const struct draft *draft, int label, struct band *band)
{
	int s = shape_find_stmt(draft->shape, label);
	int leaf = s < 0 ? -1 : leaf_of(&draft->shape->stmt[s]);
	return leaf >= 0 && band_fill(draft, leaf, band);
}

int band_list(const struct draft *draft, double share, struct band *band, int max)
{
	const struct shape *shape = draft->shape;
	int n = 0, last = -1;
	for (int s = 0; s < shape->n_stmt && n < max; s++) {
		int leaf = leaf_of(&shape->stmt[s]);
		if (leaf < 0 || leaf == last)
			continue;
		last = leaf;
		if (band_fill(draft, leaf, &band[n]) && band[n].weight >= share * shape->weight)
			n++;
	}
	return n;
}

bool band_is_done(const struct draft *draft, const struct band *band)
{
	const struct stmt_shape *stmt = &draft->shape->stmt[shape_find_stmt(draft->shape, band->label)];
	for (int d = 0; d < stmt->depth; d++)
		if (draft->shape->loop[stmt->loop[d]].node->marks.vector)
			return true;
	return false;
}
