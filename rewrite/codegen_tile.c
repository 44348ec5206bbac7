#include "codegen_internal.h"

#include <string.h>

enum { LEAVES_MAX = 8, CONDITIONS_MAX = 32, DEPTH_MAX = 64, RANK_MAX = 8, REGISTERS_MAX = 16 << 10 };

/* ---- bounds as sets of alternatives ---- */

/* The alternatives of min(min(a, b), c), or of max. */
struct leaves {
	int n;
	struct expr *leaf[LEAVES_MAX];
};

static bool add_leaves(struct leaves *leaves, enum op op, struct expr *expr)
{
	if (expr->kind == EXPR_OP && expr->op == op)
		return add_leaves(leaves, op, expr->arg[0]) && add_leaves(leaves, op, expr->arg[1]);
	if (leaves->n == LEAVES_MAX)
		return false;
	leaves->leaf[leaves->n++] = expr;
	return true;
}

static bool is_shaped(const struct node *node)
{
	return node->kind == NODE_LOOP && (node->marks.vector > 1 || node->marks.unroll == UNROLL_FULL);
}

/* The bounds of a full tile: a lower and an upper alternative of the loop's that are a constant apart, which fills vectors. */
struct tile {
	struct leaves lo, hi;
	int first, last; /* the alternatives */
};

static bool find_tile(struct arena *arena, const struct node *loop, struct tile *tile)
{
	int lanes = loop->marks.vector > 1 ? loop->marks.vector : 1;
	int64_t length;

	memset(tile, 0, sizeof(*tile));
	if (!is_shaped(loop) || loop_trips(arena, loop, &length) || !add_leaves(&tile->lo, OP_MAX, loop->lo) ||
	    !add_leaves(&tile->hi, OP_MIN, loop->hi))
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

	if (!add_leaves(&lo, OP_MAX, loop->lo) || !add_leaves(&hi, OP_MIN, loop->hi))
		return true;
	for (int i = 0; i < lo.n; i++)
		for (int j = 0; j < hi.n; j++)
			if (expr_difference(arena, hi.leaf[j], lo.leaf[i], &length) && length < trips * loop->step)
				return false;
	return true;
}

/* ---- when a tile is full ---- */

/* What must hold for all tiles within a node to be full: slack >= 0 for each condition. "outer" are the loops around the
 * node, "inner" the shaped loops within it around the one looked at. */
struct fullness {
	struct arena *arena;
	int n;
	struct linear slack[CONDITIONS_MAX];
	int n_outer, n_inner, n_other;
	const struct node *outer[DEPTH_MAX], *inner[DEPTH_MAX];
	const struct var *other[DEPTH_MAX]; /* iterators of unshaped loops within the node */
	int n_tiles;
	bool may_defer; /* tiles that can't be told outside the node may stay as they are: */
	int n_deferred;
	const struct node *deferred[DEPTH_MAX];
};

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
		if (find_tile(arena, loop, &tile))
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

/* Whether "form" (an extent over outer things) mentions nothing from within the node. */
static bool is_from_outside(const struct fullness *fullness, const struct linear *form)
{
	for (int i = 0; i < form->n; i++) {
		const struct expr *atom = form->term[i].atom;

		for (int j = 0; j < fullness->n_other; j++)
			if (expr_uses(atom, fullness->other[j]))
				return false;
		for (int j = 0; j < fullness->n_inner; j++)
			if (expr_uses(atom, fullness->inner[j]->iter))
				return false;
	}
	return true;
}

static bool reads_no_data(struct expr *expr, void *context)
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

		if (!add_leaves(&ends, OP_MIN, loop->hi))
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

	if (!expr_walk(left, reads_no_data, NULL) || !expr_walk(right, reads_no_data, NULL))
		return false;
	if (!slack.is_valid || !eliminate_inner(fullness, &slack, false) || !is_from_outside(fullness, &slack) ||
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

static bool require_list(struct fullness *fullness, const struct list *list);

/* Collect what makes all tiles in "node" full; false when that cannot be told outside it. */
static bool require_node(struct fullness *fullness, const struct node *node)
{
	struct tile tile;
	bool is_tile = find_tile(fullness->arena, node, &tile), is_full = true;

	if (node->kind == NODE_STMT)
		return true;
	if (is_tile && !require_tile(fullness, node, &tile))
		return false;
	if (node->kind == NODE_IF)
		return require_list(fullness, &node->body) && require_list(fullness, &node->orelse);
	if (fullness->n_inner == DEPTH_MAX || fullness->n_other == DEPTH_MAX)
		return false;
	if (is_shaped(node))
		fullness->inner[fullness->n_inner++] = node;
	else
		fullness->other[fullness->n_other++] = node->iter;
	is_full = require_list(fullness, &node->body);
	if (is_shaped(node))
		fullness->n_inner--;
	else
		fullness->n_other--;
	return is_full;
}

static bool require_list(struct fullness *fullness, const struct list *list)
{
	for (int i = 0; i < list->n; i++)
		if (!require_node(fullness, list->node[i]))
			return false;
	return true;
}

/* ---- separation ---- */

static bool is_deferred(const struct fullness *fullness, const struct node *loop)
{
	for (int i = 0; i < fullness->n_deferred; i++)
		if (fullness->deferred[i] == loop)
			return true;
	return false;
}

/* Give each tile below "list" that was not deferred the bounds of a full one. */
static void fill_tiles(const struct fullness *fullness, struct list *list)
{
	struct arena *arena = fullness->arena;

	for (int i = 0; i < list->n; i++) {
		struct node *node = list->node[i];
		struct tile tile;

		if (!is_deferred(fullness, node) && find_tile(arena, node, &tile)) {
			node->lo = tile.lo.leaf[tile.first];
			node->hi = tile.hi.leaf[tile.last];
		}
		fill_tiles(fullness, &node->body);
		fill_tiles(fullness, &node->orelse);
	}
}

/* slack >= 0 with all its terms on the side where they are positive, as in i_1 + 8 <= M. */
static struct expr *slack_condition(struct arena *arena, const struct linear *slack)
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

static struct expr *fullness_condition(const struct fullness *fullness)
{
	struct expr *all = NULL;

	for (int i = 0; i < fullness->n; i++) {
		struct expr *one = slack_condition(fullness->arena, &fullness->slack[i]);

		all = all ? expr_binary(fullness->arena, OP_LAND, all, one) : one;
	}
	return all;
}

struct mention {
	const struct var *var;
	bool is_found;
};

static bool find_mention(struct expr *expr, void *context)
{
	struct mention *mention = context;

	if (expr->kind == EXPR_REF && expr->var == mention->var)
		mention->is_found = true;
	return !mention->is_found;
}

static bool find_mention_in(struct node *node, void *context)
{
	return node_every_expr(node, find_mention, context);
}

static bool mentions(struct node *node, const struct var *var)
{
	struct list one = { 1, &node };
	struct mention mention = { var, false };

	list_walk(&one, find_mention_in, &mention);
	return mention.is_found;
}

static bool is_declaration(const struct node *node)
{
	return node->kind == NODE_STMT && node->declares;
}

/* The last child of "list" that mentions a local which children first .. last declare. */
static int extend(const struct list *list, int first, int last)
{
	for (int i = first; i <= last; i++)
		for (int j = list->n - 1; j > last && is_declaration(list->node[i]); j--)
			if (mentions(list->node[j], list->node[i]->target->var))
				last = j;
	return last;
}

/* Move declarations of arrays that only children first .. last use to their front; return the new first. */
static int gather_declarations(struct arena *arena, struct list *list, int first, int last)
{
	for (int i = first - 1; i >= 0; i--) {
		struct node *node = list->node[i];
		bool is_used = false, is_used_elsewhere = false;

		if (!is_declaration(node) || node->target->var->rank == 0 || node->value)
			continue;
		for (int j = 0; j < list->n; j++)
			if (j != i && mentions(list->node[j], node->target->var))
				*(j >= first && j <= last ? &is_used : &is_used_elsewhere) = true;
		if (!is_used || is_used_elsewhere)
			continue;
		list_remove(list, i);
		list_insert(arena, list, --first, node);
	}
	return first;
}

/* Tiles that are never full where they stand alone behind the one condition need no vectors that one full tile fills. */
static void drop_vectors(struct arena *arena, struct list *list)
{
	for (int i = 0; i < list->n; i++) {
		struct node *node = list->node[i];
		struct tile tile;
		int64_t length;

		if (find_tile(arena, node, &tile) && node->marks.vector > 1 &&
		    expr_difference(arena, tile.hi.leaf[tile.last], tile.lo.leaf[tile.first], &length) &&
		    length == node->marks.vector)
			node->marks.vector = 0;
		drop_vectors(arena, &node->body);
		drop_vectors(arena, &node->orelse);
	}
}

static bool expr_is_from_outside(const struct fullness *fullness, struct expr *expr)
{
	struct linear form;

	if (expr->kind == EXPR_OP && (expr->op == OP_MIN || expr->op == OP_MAX))
		return expr_is_from_outside(fullness, expr->arg[0]) && expr_is_from_outside(fullness, expr->arg[1]);
	form = linear_from(fullness->arena, expr);
	return form.is_valid && is_from_outside(fullness, &form) && expr_walk(expr, reads_no_data, NULL);
}

/* A bound and the constant that stands for it. */
struct hoisted {
	int n;
	struct expr *bound[CONDITIONS_MAX], *constant[CONDITIONS_MAX];
};

/* "bound" itself, or a constant computed in "front" when it is a min or max over things from outside. */
static struct expr *hoist_bound(struct codegen *cg, struct list *front, struct hoisted *hoisted,
				const struct fullness *fullness, const struct node *loop, struct expr *bound,
				const char *suffix)
{
	if (expr_is_simple(bound) || !expr_is_from_outside(fullness, bound))
		return bound;
	for (int i = 0; i < hoisted->n; i++)
		if (expr_equal(hoisted->bound[i], bound))
			return expr_cast(cg->arena, bound->type, hoisted->constant[i]);
	if (hoisted->n == CONDITIONS_MAX)
		return bound;
	hoisted->bound[hoisted->n] = bound;
	hoisted->constant[hoisted->n] = list_add_constant(cg, front, loop->iter, suffix, bound);
	return expr_cast(cg->arena, bound->type, hoisted->constant[hoisted->n++]);
}

/* Compute the bounds of the loops below "list" that depend on nothing in it once, in "front". */
static void hoist_bounds(struct codegen *cg, struct list *front, struct hoisted *hoisted, struct fullness *fullness,
			 const struct list *list)
{
	for (int i = 0; i < list->n; i++) {
		struct node *node = list->node[i];
		bool is_loop = node->kind == NODE_LOOP && fullness->n_other < DEPTH_MAX;

		if (node->kind == NODE_LOOP) {
			if (!loop_has_room(cg->arena, node, node->marks.vector))
				node->marks.vector = 0;
			if (!loop_has_room(cg->arena, node, node->marks.unroll))
				node->marks.unroll = 0;
			node->lo = hoist_bound(cg, front, hoisted, fullness, node, node->lo, "begin");
			node->hi = hoist_bound(cg, front, hoisted, fullness, node, node->hi, "end");
		}
		if (is_loop)
			fullness->other[fullness->n_other++] = node->iter;
		hoist_bounds(cg, front, hoisted, fullness, &node->body);
		hoist_bounds(cg, front, hoisted, fullness, &node->orelse);
		fullness->n_other -= is_loop;
	}
}

/* The partial side: "part" with its bounds computed before it. */
static struct list partial_tiles(struct codegen *cg, const struct list *part, const struct fullness *fullness)
{
	struct list rest = list_copy_deep(cg->arena, part), all = { 0 };
	struct fullness scratch = *fullness;
	struct hoisted hoisted = { 0 };

	list_own_locals(cg, &rest, true);
	if (fullness->n == 1)
		drop_vectors(cg->arena, &rest);
	hoist_bounds(cg, &all, &hoisted, &scratch, &rest);
	for (int i = 0; i < rest.n; i++)
		list_add(cg->arena, &all, rest.node[i]);
	return all;
}

/* Put children first .. last of "list" behind the condition, full tiles on one side; nothing to ask makes all full. Return
 * the choice, or NULL when there is none. */
static struct node *separate(struct codegen *cg, struct list *list, int first, int last, const struct fullness *fullness)
{
	struct expr *condition = fullness_condition(fullness);
	struct list part = { last - first + 1, list->node + first };
	struct node *choice;

	if (!condition) {
		fill_tiles(fullness, &part);
		return NULL;
	}
	choice = node_if(cg->arena, condition);
	choice->orelse = partial_tiles(cg, &part, fullness);
	fill_tiles(fullness, &part);
	for (int i = first; i <= last; i++)
		list_add(cg->arena, &choice->body, list->node[i]);
	for (int i = last; i >= first; i--)
		list_remove(list, i);
	list_insert(cg->arena, list, first, choice);
	return choice;
}

/* Neighbouring children of a list whose tiles are looked at together. */
struct group {
	int first, last;
	struct fullness fullness;
};

/* Separate the children of "group", if there are any and their locals are not used from child "end" on, which may have tiles
 * that are not full with theirs; start a new one. Return how many children fewer there are. */
static int group_close(struct codegen *cg, struct list *list, struct group *group, int end, const struct fullness *around)
{
	int before = list->n, last = group->first < 0 ? end : extend(list, group->first, group->last);

	if (last < end) {
		group->first = gather_declarations(cg->arena, list, group->first, last);
		separate(cg, list, group->first, last, &group->fullness);
	}
	group->first = group->last = -1;
	group->fullness = *around;
	return before - list->n;
}

static void tiles_in_list(struct codegen *cg, struct list *list, struct fullness *around);

/* The constant before "list" that stands for the smaller of "end" and one step after "iter", if its first statement declares
 * one; it is "end" in the last step. */
static void drop_end(struct codegen *cg, struct list *list, const struct node *loop)
{
	struct expr *next = expr_binary(cg->arena, OP_ADD, expr_scalar(cg->arena, loop->iter),
					expr_int(cg->arena, loop->step, loop->iter->type));
	const struct node *first = list->n ? list->node[0] : NULL;
	struct leaves leaves = { 0 };
	bool is_end = true;
	int64_t distance;

	if (!first || !is_declaration(first) || !first->value || !add_leaves(&leaves, OP_MIN, first->value) || leaves.n != 2)
		return;
	for (int i = 0; i < leaves.n; i++)
		is_end &= (expr_difference(cg->arena, leaves.leaf[i], next, &distance) && distance == 0) ||
			  (expr_difference(cg->arena, leaves.leaf[i], loop->hi, &distance) && distance == 0);
	if (!is_end)
		return;
	for (int i = 1; i < list->n; i++)
		node_replace(cg->arena, list->node[i], first->target->var, expr_cast(cg->arena, TYPE_I64, loop->hi));
	list_remove(list, 0);
}

/* Whether "loop" only chooses between a full step and a partial one, which can but be the last. */
static bool is_full_but_last(struct arena *arena, const struct node *loop)
{
	struct linear end, iter, slack;

	if (loop->kind != NODE_LOOP || loop->marks.parallel || loop->body.n != 1 || loop->body.node[0]->kind != NODE_IF ||
	    !expr_is_simple(loop->hi) || !expr_is_simple(loop->lo))
		return false;
	end = linear_from(arena, loop->hi);
	iter = linear_from(arena, expr_scalar(arena, loop->iter));
	slack = linear_add(&end, -1, &iter);
	slack.constant -= loop->step;
	return slack.is_valid && expr_equal(loop->body.node[0]->cond, slack_condition(arena, &slack));
}

/* Make of such a loop at "at" in "list" one over the full steps and, after it, the rest. Return how many children more there
 * are. */
static int split_tile_loop(struct codegen *cg, struct list *list, int at)
{
	struct arena *arena = cg->arena;
	struct node *loop = list->node[at], *choice = loop->body.n ? loop->body.node[0] : NULL, *rest;
	struct expr *lo, *hi, *full;
	struct list front = { 0 };

	if (!is_full_but_last(arena, loop))
		return 0;
	lo = expr_cast(arena, TYPE_I64, loop->lo);
	hi = expr_cast(arena, TYPE_I64, loop->hi);
	full = expr_simplify(arena, expr_binary(arena, OP_SUB, hi, lo));
	full = expr_binary(arena, OP_SUB, hi, expr_binary(arena, OP_MOD, full, expr_int(arena, loop->step, TYPE_I64)));
	full = list_add_constant(cg, &front, loop->iter, "full", full);
	rest = node_if(arena, expr_binary(arena, OP_LT, full, hi));
	rest->body = choice->orelse;
	drop_end(cg, &rest->body, loop);
	for (int i = 0; i < rest->body.n; i++)
		node_replace(arena, rest->body.node[i], loop->iter, expr_cast(arena, loop->iter->type, full));
	loop->hi = full;
	loop->body = choice->body;
	list_insert(arena, list, at, front.node[0]);
	list_insert(arena, list, at + 2, rest);
	return 2;
}

static void tiles_in_node(struct codegen *cg, struct node *node, struct fullness *around)
{
	bool is_loop = node->kind == NODE_LOOP && around->n_outer < DEPTH_MAX;

	if (is_loop)
		around->outer[around->n_outer++] = node;
	tiles_in_list(cg, &node->body, around);
	tiles_in_list(cg, &node->orelse, around);
	around->n_outer -= is_loop;
}

/* Whether "list" declares an array that may live in registers. */
static bool declares_registers(const struct list *list)
{
	for (int i = 0; i < list->n; i++) {
		const struct node *node = list->node[i];
		int64_t bytes = is_declaration(node) ? local_bytes(node->target->var) : 0;

		if (bytes > 0 && bytes <= REGISTERS_MAX)
			return true;
	}
	return false;
}

/* Where tile loops within "list" stand between the tiles that work on its registers, ask for the tiles that do not depend on
 * them around all of it, so that the registers live on one side; whether that was done. */
static bool separate_registers(struct codegen *cg, struct list *list, struct fullness *around)
{
	struct fullness fullness = *around;
	struct node *choice;

	fullness.may_defer = true;
	if (!declares_registers(list) || !require_list(&fullness, list) || fullness.n == 0 || fullness.n_deferred == 0)
		return false;
	choice = separate(cg, list, 0, list->n - 1, &fullness);
	tiles_in_list(cg, &choice->body, around);
	return true;
}

static void tiles_in_list(struct codegen *cg, struct list *list, struct fullness *around)
{
	struct group group = { -1, -1, *around };

	if (separate_registers(cg, list, around))
		return;
	for (int i = 0; i < list->n; i++) {
		struct fullness with = group.fullness;

		if (!require_node(&with, list->node[i])) {
			i -= group_close(cg, list, &group, i, around);
			tiles_in_node(cg, list->node[i], around);
			i += split_tile_loop(cg, list, i);
			continue;
		}
		if (with.n_tiles > group.fullness.n_tiles) {
			group.first = group.first < 0 ? i : group.first;
			group.last = i;
		}
		group.fullness = with;
	}
	group_close(cg, list, &group, list->n, around);
}

void lower_tiles(struct codegen *cg)
{
	struct fullness *around = ARENA_NEW(cg->arena, struct fullness);

	around->arena = cg->arena;
	list_simplify(cg->arena, &cg->nest->body);
	tiles_in_list(cg, &cg->nest->body, around);
}

/* ---- copies in and out of local arrays ---- */

/* How marked loops index each dimension of "array". */
struct shape {
	struct arena *arena;
	const struct var *array;
	struct loop_marks mark[RANK_MAX];
	int depth;
	struct node *loop[DEPTH_MAX];
	bool is_marking;
};

static bool steps_by_one(struct arena *arena, struct expr *subscript, const struct var *iter)
{
	struct linear form = linear_from(arena, subscript);
	bool is_linear = true;

	return linear_factor(&form, iter, &is_linear) == 1 && is_linear && form.is_valid;
}

/* Whether all that "loop" does is to move elements to or from "array". */
static bool is_copy_loop(const struct node *loop, const struct var *array)
{
	for (int i = 0; i < loop->body.n; i++) {
		const struct node *node = loop->body.node[i];

		if (node->kind == NODE_LOOP && is_copy_loop(node, array))
			continue;
		if (node->kind != NODE_STMT || !node->value || node->target->n == 0)
			return false;
		if (!(node->target->var == array && node->op == OP_NONE && !expr_uses(node->value, array)) &&
		    !(node->value->kind == EXPR_REF && node->value->var == array))
			return false;
	}
	return loop->body.n > 0;
}

/* Whether iterations of "loop" add to one element, one after the other. */
static bool accumulates(const struct list *list, const struct var *iter)
{
	for (int i = 0; i < list->n; i++) {
		const struct node *node = list->node[i];

		if (node->kind == NODE_STMT && node->op != OP_NONE && !expr_uses(node->target, iter))
			return true;
		if (accumulates(&node->body, iter))
			return true;
	}
	return false;
}

static bool shape_expr(struct expr *expr, void *context)
{
	struct shape *shape = context;

	if (expr->kind != EXPR_REF || expr->var != shape->array || expr->n == 0)
		return true;
	for (int l = 0; l < shape->depth; l++) {
		struct node *loop = shape->loop[l];

		for (int d = 0; d < expr->n; d++) {
			if (!steps_by_one(shape->arena, expr->arg[d], loop->iter))
				continue;
			if (!shape->is_marking && is_shaped(loop) && shape->mark[d].vector <= 1)
				shape->mark[d] = loop->marks;
			else if (shape->is_marking && loop->marks.vector <= 1 && is_copy_loop(loop, shape->array) &&
				 (shape->mark[d].vector > 1 ? d == expr->n - 1 : !is_shaped(loop))) {
				loop->marks = shape->mark[d];
				if (accumulates(&loop->body, loop->iter))
					loop->marks.vector = 0;
			}
		}
	}
	return true;
}

static void shape_list(struct shape *shape, const struct list *list)
{
	for (int i = 0; i < list->n; i++) {
		struct node *node = list->node[i];
		bool is_loop = node->kind == NODE_LOOP && shape->depth < DEPTH_MAX;

		node_every_expr(node, shape_expr, shape);
		if (is_loop)
			shape->loop[shape->depth++] = node;
		shape_list(shape, &node->body);
		shape_list(shape, &node->orelse);
		shape->depth -= is_loop;
	}
}

void lower_copies(struct codegen *cg)
{
	for (int i = 0; i < cg->nest->n_var; i++) {
		const struct var *var = cg->nest->var[i];
		struct shape shape = { .arena = cg->arena, .array = var };

		if (var->kind != VAR_LOCAL || var->rank == 0 || var->rank > RANK_MAX || local_bytes(var) < 0)
			continue;
		shape_list(&shape, &cg->nest->body);
		shape.is_marking = true;
		shape_list(&shape, &cg->nest->body);
	}
}
