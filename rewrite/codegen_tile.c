#include "codegen_full.h"

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

		if (!is_deferred(fullness, node) && tile_find(arena, node, &tile)) {
			node->lo = tile.lo.leaf[tile.first];
			node->hi = tile.hi.leaf[tile.last];
		}
		fill_tiles(fullness, &node->body);
		fill_tiles(fullness, &node->orelse);
	}
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

		if (tile_find(arena, node, &tile) && node->marks.vector > 1 &&
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
	return form.is_valid && fullness_is_outside(fullness, &form) && expr_walk(expr, expr_reads_no_data, NULL);
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
	codegen_note(cg, choice, "a full tile", "a tile that is cut short");
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

	if (!first || !is_declaration(first) || !first->value || !leaves_add(&leaves, OP_MIN, first->value) || leaves.n != 2)
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
	codegen_note(cg, rest, "what is left of the last tile", NULL);
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
	if (!declares_registers(list) || !fullness_add_list(&fullness, list) || fullness.n == 0 || fullness.n_deferred == 0)
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

		if (!fullness_add_node(&with, list->node[i])) {
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
