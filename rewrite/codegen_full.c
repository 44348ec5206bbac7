#include "codegen_full.h"

#include <string.h>

/* ---- bounds as sets of alternatives ---- */

bool leaves_add(struct leaves *leaves, enum op op, struct expr *expr)
{
	if (expr->kind == EXPR_OP && expr->op == op)
		return leaves_add(leaves, op, expr->arg[0]) && leaves_add(leaves, op, expr->arg[1]);
	if (leaves->n == LEAVES_MAX)
		return false;
	leaves->leaf[leaves->n++] = expr;
	return true;
}

bool node_is_shaped(const struct node *node)
{
	return node->kind == NODE_LOOP && (node->marks.vector > 1 || node->marks.unroll == UNROLL_FULL);
}

bool tile_find(struct arena *arena, const struct node *loop, struct tile *tile)
{
	int lanes = loop->marks.vector > 1 ? loop->marks.vector : 1;
	int64_t length;

	memset(tile, 0, sizeof(*tile));
	if (!node_is_shaped(loop) || loop_trips(arena, loop, &length) || !leaves_add(&tile->lo, OP_MAX, loop->lo) ||
	    !leaves_add(&tile->hi, OP_MIN, loop->hi))
		return false;
	for (tile->first = 0; tile->first < tile->lo.n; tile->first++)
		for (tile->last = 0; tile->last < tile->hi.n; tile->last++)
			if (expr_difference(arena, tile->hi.leaf[tile->last], tile->lo.leaf[tile->first], &length) &&
			    length > 0 && length % lanes == 0)
				return true;
	return false;
}

bool loop_has_room(struct arena *arena, const struct node *loop, int64_t trips)
{
	struct leaves lo = { 0 }, hi = { 0 };
	int64_t length;

	if (!leaves_add(&lo, OP_MAX, loop->lo) || !leaves_add(&hi, OP_MIN, loop->hi))
		return true;
	for (int i = 0; i < lo.n; i++)
		for (int j = 0; j < hi.n; j++)
			if (expr_difference(arena, hi.leaf[j], lo.leaf[i], &length) && length < trips * loop->step)
				return false;
	return true;
}

/* ---- when a tile is full ---- */

/* The extreme of "form" over the inner tiles, each taken as full. */
static bool eliminate_inner(struct fullness *fullness, struct linear *form, bool upper)
{
	struct arena *arena = fullness->arena;

	for (int i = fullness->n_inner - 1; i >= 0; i--) {
		const struct node *loop = fullness->inner[i];
		struct linear bound, iter = linear_from(arena, expr_scalar(arena, loop->iter));
		bool is_linear = true;
		int64_t factor = linear_factor(form, loop->iter, &is_linear);
		struct tile tile;
		struct expr *end;

		if (!is_linear)
			return false;
		if (factor == 0)
			continue;
		if (tile_find(arena, loop, &tile))
			end = (factor > 0) == upper ? tile.hi.leaf[tile.last] : tile.lo.leaf[tile.first];
		else
			end = (factor > 0) == upper ? loop->hi : loop->lo;
		bound = linear_from(arena, end);
		if ((factor > 0) == upper)
			bound.constant--;
		*form = linear_add(form, -factor, &iter);
		*form = linear_add(form, factor, &bound);
		if (!form->is_valid)
			return false;
	}
	return true;
}

bool fullness_is_outside(const struct fullness *fullness, const struct linear *form)
{
	for (int i = 0; i < form->n; i++) {
		struct expr *atom = form->term[i].atom;

		if (!expr_walk(atom, expr_reads_no_data, NULL))
			return false;
		for (int j = 0; j < fullness->n_other; j++)
			if (expr_uses(atom, fullness->other[j]))
				return false;
		for (int j = 0; j < fullness->n_inner; j++)
			if (expr_uses(atom, fullness->inner[j]->iter))
				return false;
	}
	return true;
}

bool expr_reads_no_data(struct expr *expr, void *context)
{
	(void)context;
	return expr->kind != EXPR_REF || expr->var->kind == VAR_PARAM || expr->var->kind == VAR_ITER;
}

/* Whether slack >= 0 follows from x + T <= end, where x is an outer iterator that steps by T towards "end", a whole number
 * of steps from its start. */
static bool is_always_full(const struct fullness *fullness, const struct linear *slack)
{
	struct arena *arena = fullness->arena;
	int64_t distance;

	for (int i = 0; i < fullness->n_outer; i++) {
		const struct node *loop = fullness->outer[i];
		struct linear iter = linear_from(arena, expr_scalar(arena, loop->iter));
		struct leaves ends = { 0 };

		if (!leaves_add(&ends, OP_MIN, loop->hi))
			continue;
		for (int j = 0; j < ends.n; j++) {
			struct linear end = linear_from(arena, ends.leaf[j]), known, more;

			known = linear_add(&end, -1, &iter);
			more = linear_add(slack, -1, &known);
			if (more.is_valid && more.n == 0 && more.constant + loop->step >= 0 &&
			    expr_difference(arena, ends.leaf[j], loop->lo, &distance) && distance % loop->step == 0)
				return true;
		}
	}
	return false;
}

/* Whether slack >= 0 cannot be, since outer iterators that lower it start too high already. */
static bool is_never_full(const struct fullness *fullness, const struct linear *slack)
{
	struct linear most = *slack;

	for (int i = fullness->n_outer - 1; i >= 0; i--) {
		const struct node *loop = fullness->outer[i];
		struct linear iter = linear_from(fullness->arena, expr_scalar(fullness->arena, loop->iter));
		struct linear lo = linear_from(fullness->arena, loop->lo);
		bool is_linear = true;
		int64_t factor = linear_factor(&most, loop->iter, &is_linear);

		if (!is_linear || factor >= 0)
			continue;
		most = linear_add(&most, -factor, &iter);
		most = linear_add(&most, factor, &lo);
	}
	return most.is_valid && most.n == 0 && most.constant < 0;
}

/* Require left <= right; false when that cannot be told outside the node. */
static bool require(struct fullness *fullness, struct expr *left, struct expr *right)
{
	struct linear low = linear_from(fullness->arena, left), high = linear_from(fullness->arena, right);
	struct linear slack = linear_add(&high, -1, &low), difference;

	if (!expr_walk(left, expr_reads_no_data, NULL) || !expr_walk(right, expr_reads_no_data, NULL))
		return false;
	if (!slack.is_valid || !eliminate_inner(fullness, &slack, false) || !fullness_is_outside(fullness, &slack) ||
	    is_never_full(fullness, &slack))
		return false;
	if ((slack.n == 0 && slack.constant >= 0) || is_always_full(fullness, &slack))
		return true;
	for (int i = 0; i < fullness->n; i++) {
		difference = linear_add(&slack, -1, &fullness->slack[i]);
		if (!difference.is_valid || difference.n > 0)
			continue;
		if (difference.constant < 0)
			fullness->slack[i] = slack;
		return true;
	}
	if (fullness->n == CONDITIONS_MAX)
		return false;
	fullness->slack[fullness->n++] = slack;
	return true;
}

static bool require_bounds(struct fullness *fullness, const struct tile *tile)
{
	for (int i = 0; i < tile->hi.n; i++)
		if (i != tile->last && !require(fullness, tile->hi.leaf[tile->last], tile->hi.leaf[i]))
			return false;
	for (int i = 0; i < tile->lo.n; i++)
		if (i != tile->first && !require(fullness, tile->lo.leaf[i], tile->lo.leaf[tile->first]))
			return false;
	return true;
}

static bool require_tile(struct fullness *fullness, const struct node *loop, const struct tile *tile)
{
	int n = fullness->n;

	if (require_bounds(fullness, tile)) {
		fullness->n_tiles++;
		return true;
	}
	if (!fullness->may_defer || n != fullness->n || fullness->n_deferred == DEPTH_MAX)
		return false;
	fullness->deferred[fullness->n_deferred++] = loop;
	return true;
}

bool fullness_add_node(struct fullness *fullness, const struct node *node)
{
	struct tile tile;
	bool is_tile = tile_find(fullness->arena, node, &tile), is_full = true;

	if (node->kind == NODE_STMT)
		return true;
	if (is_tile && !require_tile(fullness, node, &tile))
		return false;
	if (node->kind == NODE_IF)
		return fullness_add_list(fullness, &node->body) && fullness_add_list(fullness, &node->orelse);
	if (fullness->n_inner == DEPTH_MAX || fullness->n_other == DEPTH_MAX)
		return false;
	if (node_is_shaped(node))
		fullness->inner[fullness->n_inner++] = node;
	else
		fullness->other[fullness->n_other++] = node->iter;
	is_full = fullness_add_list(fullness, &node->body);
	if (node_is_shaped(node))
		fullness->n_inner--;
	else
		fullness->n_other--;
	return is_full;
}

bool fullness_add_list(struct fullness *fullness, const struct list *list)
{
	for (int i = 0; i < list->n; i++)
		if (!fullness_add_node(fullness, list->node[i]))
			return false;
	return true;
}

struct expr *slack_condition(struct arena *arena, const struct linear *slack)
{
	struct linear left = { .is_valid = true }, right = { .is_valid = true };

	for (int i = 0; i < slack->n; i++) {
		struct linear *side = slack->term[i].factor > 0 ? &right : &left;

		side->term[side->n] = slack->term[i];
		if (side == &left)
			side->term[side->n].factor = -slack->term[i].factor;
		side->n++;
	}
	if (slack->constant > 0)
		right.constant = slack->constant;
	else
		left.constant = -slack->constant;
	return expr_binary(arena, OP_LE, linear_expr(arena, &left, TYPE_I64), linear_expr(arena, &right, TYPE_I64));
}

struct expr *fullness_condition(const struct fullness *fullness)
{
	struct expr *all = NULL;

	for (int i = 0; i < fullness->n; i++) {
		struct expr *one = slack_condition(fullness->arena, &fullness->slack[i]);

		all = all ? expr_binary(fullness->arena, OP_LAND, all, one) : one;
	}
	return all;
}
