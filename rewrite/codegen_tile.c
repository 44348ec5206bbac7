#include "codegen_internal.h"

#include <string.h>

enum { LEAVES_MAX = 8, CONDITIONS_MAX = 32, DEPTH_MAX = 64, RANK_MAX = 8 };

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

static bool require_tile(struct fullness *fullness, const struct tile *tile)
{
	fullness->n_tiles++;
	for (int i = 0; i < tile->hi.n; i++)
		if (i != tile->last && !require(fullness, tile->hi.leaf[tile->last], tile->hi.leaf[i]))
			return false;
	for (int i = 0; i < tile->lo.n; i++)
		if (i != tile->first && !require(fullness, tile->lo.leaf[i], tile->lo.leaf[tile->first]))
			return false;
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
	if (is_tile && !require_tile(fullness, &tile))
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

/* Give each tile below "list" the bounds of a full one. */
static void fill_tiles(struct arena *arena, struct list *list)
{
	for (int i = 0; i < list->n; i++) {
		struct node *node = list->node[i];
		struct tile tile;

		if (find_tile(arena, node, &tile)) {
			node->lo = tile.lo.leaf[tile.first];
			node->hi = tile.hi.leaf[tile.last];
		}
		fill_tiles(arena, &node->body);
		fill_tiles(arena, &node->orelse);
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

/* Put children first .. last of "list" behind the condition, full tiles on one side; nothing to ask makes all full. */
static void separate(struct codegen *cg, struct list *list, int first, int last, const struct fullness *fullness)
{
	struct expr *condition = fullness_condition(fullness);
	struct list part = { last - first + 1, list->node + first };
	struct node *choice;

	if (!condition) {
		fill_tiles(cg->arena, &part);
		return;
	}
	choice = node_if(cg->arena, condition);
	choice->body = list_copy_deep(cg->arena, &part);
	choice->orelse = partial_tiles(cg, &part, fullness);
	fill_tiles(cg->arena, &choice->body);
	for (int i = last; i >= first; i--)
		list_remove(list, i);
	list_insert(cg->arena, list, first, choice);
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

static void tiles_in_node(struct codegen *cg, struct node *node, struct fullness *around)
{
	bool is_loop = node->kind == NODE_LOOP && around->n_outer < DEPTH_MAX;

	if (is_loop)
		around->outer[around->n_outer++] = node;
	tiles_in_list(cg, &node->body, around);
	tiles_in_list(cg, &node->orelse, around);
	around->n_outer -= is_loop;
}

static void tiles_in_list(struct codegen *cg, struct list *list, struct fullness *around)
{
	struct group group = { -1, -1, *around };

	for (int i = 0; i < list->n; i++) {
		struct fullness with = group.fullness;

		if (!require_node(&with, list->node[i])) {
			i -= group_close(cg, list, &group, i, around);
			tiles_in_node(cg, list->node[i], around);
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
				 (shape->mark[d].vector > 1 ? d == expr->n - 1 : !is_shaped(loop)))
				loop->marks = shape->mark[d];
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
