#include "fuzz_edit.h"

#include <string.h>

enum { LISTS_MAX = 128, PLACES = 8 };

/* An edit under way: a random list of the nest and a place in it. */
struct edit {
	struct arena *arena;
	struct rng *rng;
	struct nest *nest;
	struct list *list;
	int at;
};

static int below(struct edit *edit, int n)
{
	return (int)rng_below(edit->rng, (uint64_t)n);
}

static struct node *here(const struct edit *edit)
{
	return edit->list->node[edit->at];
}

static bool is_loop(const struct edit *edit)
{
	return here(edit)->kind == NODE_LOOP;
}

static struct expr *number(struct edit *edit, int64_t value, const struct expr *like)
{
	return expr_int(edit->arena, value, like->type);
}

static bool edit_swap(struct edit *edit)
{
	struct node *first = here(edit);

	if (edit->at + 1 == edit->list->n)
		return false;
	edit->list->node[edit->at] = edit->list->node[edit->at + 1];
	edit->list->node[edit->at + 1] = first;
	return true;
}

static bool edit_interchange(struct edit *edit)
{
	struct node *outer = here(edit), *inner, saved = *outer;

	if (!is_loop(edit) || outer->body.n != 1 || outer->body.node[0]->kind != NODE_LOOP)
		return false;
	inner = outer->body.node[0];
	outer->iter = inner->iter, outer->lo = inner->lo, outer->hi = inner->hi, outer->step = inner->step;
	inner->iter = saved.iter, inner->lo = saved.lo, inner->hi = saved.hi, inner->step = saved.step;
	return true;
}

static bool edit_reverse(struct edit *edit)
{
	struct node *loop = here(edit);
	struct expr *mirrored;

	if (!is_loop(edit) || loop->step != 1)
		return false;
	mirrored = expr_binary(edit->arena, OP_SUB, loop->hi, number(edit, 1, loop->hi));
	mirrored = expr_binary(edit->arena, OP_SUB, expr_binary(edit->arena, OP_ADD, loop->lo, mirrored),
			       expr_scalar(edit->arena, loop->iter));
	for (int i = 0; i < loop->body.n; i++)
		node_replace(edit->arena, loop->body.node[i], loop->iter, mirrored);
	return true;
}

static bool edit_tile(struct edit *edit)
{
	struct node *loop = here(edit), *tiles;
	int64_t size;
	struct expr *start;
	struct var *iter;

	if (!is_loop(edit))
		return false;
	size = loop->step * (2 + below(edit, 3));
	iter = nest_add_var(edit->nest, VAR_ITER, loop->iter->type, arena_printf(edit->arena, "%s.1", loop->iter->name), 0, NULL);
	start = expr_scalar(edit->arena, iter);
	tiles = node_loop(edit->arena, iter, loop->lo, loop->hi, size);
	loop->lo = start;
	loop->hi = expr_binary(edit->arena, OP_MIN, expr_binary(edit->arena, OP_ADD, start, number(edit, size, start)), loop->hi);
	list_add(edit->arena, &tiles->body, loop);
	edit->list->node[edit->at] = tiles;
	return true;
}

/* Split the node behind its child number 1 or later, as a loop or a condition. */
static bool edit_split(struct edit *edit)
{
	struct node *node = here(edit), *rest;
	int at;

	if (node->kind == NODE_STMT || node->body.n < 2)
		return false;
	at = 1 + below(edit, node->body.n - 1);
	rest = node_copy_deep(edit->arena, node);
	while (node->body.n > at)
		list_remove(&node->body, at);
	for (int i = 0; i < at; i++)
		list_remove(&rest->body, 0);
	if (node->kind == NODE_IF)
		node->orelse.n = 0;
	list_insert(edit->arena, edit->list, edit->at + 1, rest);
	return true;
}

static bool edit_fuse(struct edit *edit)
{
	struct node *first = here(edit), *second;

	if (edit->at + 1 == edit->list->n || !is_loop(edit))
		return false;
	second = edit->list->node[edit->at + 1];
	if (second->kind != NODE_LOOP || second->step != first->step || second->iter->type != first->iter->type)
		return false;
	if (second->iter != first->iter)
		node_replace(edit->arena, second, second->iter, expr_scalar(edit->arena, first->iter));
	for (int i = 0; i < second->body.n; i++)
		list_add(edit->arena, &first->body, second->body.node[i]);
	list_remove(edit->list, edit->at + 1);
	return true;
}

static bool edit_vector(struct edit *edit)
{
	struct node *loop = here(edit);

	for (int i = 0; i < loop->body.n; i++)
		if (loop->body.node[i]->kind != NODE_STMT || loop->body.node[i]->target->var->kind == VAR_LOCAL)
			return false;
	if (!is_loop(edit))
		return false;
	loop->marks.vector = 4;
	return true;
}

static bool edit_parallel(struct edit *edit)
{
	here(edit)->marks.parallel = is_loop(edit);
	return is_loop(edit);
}

/* Two iterations a step, the second behind a condition. */
static bool edit_unroll(struct edit *edit)
{
	struct node *loop = here(edit), *test, *second;
	struct expr *next;

	if (!is_loop(edit))
		return false;
	next = expr_scalar(edit->arena, loop->iter);
	next = expr_binary(edit->arena, OP_ADD, next, number(edit, loop->step, next));
	test = node_if(edit->arena, expr_binary(edit->arena, OP_LT, next, loop->hi));
	second = node_copy_deep(edit->arena, loop);
	for (int i = 0; i < second->body.n; i++) {
		node_replace(edit->arena, second->body.node[i], loop->iter, next);
		list_add(edit->arena, &test->body, second->body.node[i]);
	}
	list_add(edit->arena, &loop->body, test);
	loop->step *= 2;
	return true;
}

static bool edit_bound(struct edit *edit)
{
	struct node *loop = here(edit);

	if (!is_loop(edit))
		return false;
	if (below(edit, 2))
		loop->hi = expr_binary(edit->arena, OP_SUB, loop->hi, number(edit, 1, loop->hi));
	else
		loop->lo = expr_binary(edit->arena, OP_ADD, loop->lo, number(edit, 1, loop->lo));
	return true;
}

static bool edit_drop(struct edit *edit)
{
	list_remove(edit->list, edit->at);
	return true;
}

static bool edit_repeat(struct edit *edit)
{
	list_insert(edit->arena, edit->list, edit->at + 1, node_copy_deep(edit->arena, here(edit)));
	return true;
}

static bool edit_branches(struct edit *edit)
{
	struct node *node = here(edit);
	struct list body = node->body;

	if (node->kind != NODE_IF || !node->orelse.n)
		return false;
	node->body = node->orelse;
	node->orelse = body;
	return true;
}

/* Take the children of a condition out of it, or those of a loop. */
static bool edit_unwrap(struct edit *edit)
{
	struct node *node = here(edit);

	if (node->kind != NODE_IF || node->orelse.n)
		return false;
	list_remove(edit->list, edit->at);
	for (int i = 0; i < node->body.n; i++)
		list_insert(edit->arena, edit->list, edit->at + i, node->body.node[i]);
	return true;
}

/* Pull the next node into the end of this one's body. */
static bool edit_pull(struct edit *edit)
{
	struct node *node = here(edit);

	if (node->kind == NODE_STMT || edit->at + 1 == edit->list->n)
		return false;
	list_add(edit->arena, &node->body, edit->list->node[edit->at + 1]);
	list_remove(edit->list, edit->at + 1);
	return true;
}

/* Move the first child of a loop or condition before it. */
static bool edit_hoist(struct edit *edit)
{
	struct node *node = here(edit), *child;

	if (node->kind == NODE_STMT || node->body.n < 2)
		return false;
	child = node->body.node[0];
	list_remove(&node->body, 0);
	list_insert(edit->arena, edit->list, edit->at, child);
	return true;
}

static const struct {
	const char *name;
	bool (*apply)(struct edit *edit);
} edits[] = {
	{ "swap", edit_swap }, { "interchange", edit_interchange }, { "reverse", edit_reverse }, { "tile", edit_tile },
	{ "split", edit_split }, { "fuse", edit_fuse }, { "vector", edit_vector }, { "parallel", edit_parallel },
	{ "unroll", edit_unroll }, { "bound", edit_bound }, { "drop", edit_drop }, { "repeat", edit_repeat },
	{ "branches", edit_branches }, { "unwrap", edit_unwrap }, { "pull", edit_pull }, { "hoist", edit_hoist },
	{ "swap", edit_swap }, { "interchange", edit_interchange }, { "fuse", edit_fuse }, { "parallel", edit_parallel },
};
enum { EDITS = sizeof(edits) / sizeof(edits[0]) };

struct lists {
	struct list *list[LISTS_MAX];
	int n;
};

static void add_list(struct lists *lists, struct list *list)
{
	if (list->n && lists->n < LISTS_MAX)
		lists->list[lists->n++] = list;
}

static bool visit_lists(struct node *node, void *context)
{
	add_list(context, &node->body);
	add_list(context, &node->orelse);
	return true;
}

static bool apply_somewhere(struct edit *edit, int kind)
{
	for (int i = 0; i < PLACES; i++) {
		struct lists lists = { .n = 0 };

		add_list(&lists, &edit->nest->body);
		list_walk(&edit->nest->body, visit_lists, &lists);
		if (!lists.n)
			return false;
		edit->list = lists.list[below(edit, lists.n)];
		edit->at = below(edit, edit->list->n);
		if (edits[kind].apply(edit))
			return true;
	}
	return false;
}

struct nest *fuzz_edit(struct arena *arena, struct rng *rng, const struct nest *nest, int most, const char **names)
{
	struct edit edit = { .arena = arena, .rng = rng, .nest = nest_copy(nest) };
	int n = 0;

	edit.nest->body.n = 0;
	edit.nest->body.node = NULL;
	for (int i = 0; i < nest->body.n; i++)
		list_add(arena, &edit.nest->body, node_copy_deep(arena, nest->body.node[i]));
	*names = "";
	for (int tries = 0; tries < 2 * most && n < most; tries++) {
		int kind = below(&edit, EDITS);

		if (apply_somewhere(&edit, kind))
			*names = arena_printf(arena, "%s%s%s", *names, n++ ? ", " : "", edits[kind].name);
	}
	return n && nest_check(edit.nest, &(struct diag){ 0 }) ? edit.nest : NULL;
}
