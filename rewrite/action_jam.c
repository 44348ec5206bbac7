#include "action_internal.h"
#include "action_sum.h"

enum { JAM_MAX = 64 };

/* What is left of jammed iterations: copies of the point loop, each around as few statements as can be. "failed" when a local
 * could not be given to each iteration. */
struct jam {
	struct rewrite *rewrite;
	struct node *point;
	bool failed;
};

/* A copy of the point loop around "body", run in full. */
static struct node *wrap(const struct jam *jam, const struct list *body)
{
	struct node *loop = node_copy(jam->rewrite->arena, jam->point);

	loop->body = *body;
	loop->marks.unroll = UNROLL_FULL;
	return loop;
}

/* Whether "expr" differs between the iterations of the point loop. */
static bool is_varying(const struct jam *jam, const struct expr *expr)
{
	const struct nest *nest = jam->rewrite->nest;

	if (expr_uses(expr, jam->point->iter))
		return true;
	for (int i = 0; i < nest->n_var; i++)
		if (nest->var[i]->kind == VAR_LOCAL && expr_uses(expr, nest->var[i]))
			return true;
	return false;
}

/* Whether the point loop can stand inside "node" rather than around it: all its iterations run the children equally often. */
static bool is_open(const struct jam *jam, const struct node *node)
{
	return node->kind == NODE_LOOP && !is_varying(jam, node->lo) && !is_varying(jam, node->hi);
}

/* The end of the run of nodes from "at" on that stay together: a single open one, or all closed ones in a row. */
static int run_end(const struct jam *jam, const struct list *list, int at)
{
	int end = at + 1;

	while (!is_open(jam, list->node[at]) && end < list->n && !is_open(jam, list->node[end]))
		end++;
	return end;
}

/* A local that is declared in the nodes from "at" to "end" and used after them; NULL when there is none. */
static struct var *crossing_local(const struct list *list, int at, int end)
{
	for (int i = at; i < end; i++) {
		if (list->node[i]->kind != NODE_STMT || !list->node[i]->declares)
			continue;
		for (int j = end; j < list->n; j++)
			if (node_mentions(list->node[j], list->node[i]->target->var))
				return list->node[i]->target->var;
	}
	return NULL;
}

/* Replace each local of "list" that the point loop's copies would share by an array, declared in "result". */
static void expand_locals(struct jam *jam, struct list *list, struct list *result)
{
	for (int at = 0; at < list->n && !jam->failed;) {
		int end = run_end(jam, list, at);
		struct var *crossing = crossing_local(list, at, end), *array;

		if (!crossing) {
			at = end;
			continue;
		}
		array = expand_local(jam->rewrite, jam->point, list, crossing);
		jam->failed = !array;
		if (array)
			list_add(jam->rewrite->arena, result, made_declaration(jam->rewrite, array));
		at = 0;
	}
}

/* "list" with the point loop moved into it as far as it goes. */
static struct list sink(struct jam *jam, struct list *list)
{
	struct arena *arena = jam->rewrite->arena;
	struct list result = { 0 };

	expand_locals(jam, list, &result);
	for (int at = 0; at < list->n && !jam->failed;) {
		int end = run_end(jam, list, at);
		struct node *node = list->node[at];
		struct list closed = { 0 };

		if (is_open(jam, node)) {
			node->body = sink(jam, &node->body);
			list_add(arena, &result, node);
		} else {
			for (int i = at; i < end; i++)
				list_add(arena, &closed, list->node[i]);
			list_add(arena, &result, wrap(jam, &closed));
		}
		at = end;
	}
	return result;
}

/* Whether a loop that the point loop can enter stands in its body. */
static bool has_open(const struct jam *jam)
{
	for (int i = 0; i < jam->point->body.n; i++)
		if (is_open(jam, jam->point->body.node[i]))
			return true;
	return false;
}

/* Tile "loop" and move the point loop inside. */
static enum status jam_loop(struct rewrite *rewrite, struct node *loop, int64_t size)
{
	struct jam jam = { rewrite, loop, false };
	struct node *tile = tile_loop(rewrite, loop, size);

	tile->body = sink(&jam, &loop->body);
	if (jam.failed || scope_check(rewrite) != STATUS_OK)
		return STATUS_FAILED;
	for (int i = 0; i < tile->body.n; i++)
		for (int j = 0; j < tile->body.n; j++)
			if (made_statements_meet(rewrite, tile->body.node[i], loop->iter, tile->body.node[j], loop->iter))
				return refuse(rewrite, "iterations of %s share memory through statements that an action made",
					      loop->iter->name);
	return legal_check(rewrite, tile);
}

enum status action_jam(struct rewrite *rewrite, const struct action *action)
{
	struct node *loop;
	struct jam jam;

	if (action->n != 1 || action->arg[0].size < 2 || action->arg[0].size > JAM_MAX)
		return refuse(rewrite, "jam needs a loop and 2 to %d iterations, as in jam(i:4)", JAM_MAX);
	loop = rewrite_find_loop(rewrite, &action->arg[0]);
	if (!loop)
		return STATUS_FAILED;
	if (loop->marks.vector || loop->marks.unroll)
		return refuse(rewrite, "%s is already marked; jam it before vectorize and unroll", loop->iter->name);
	jam = (struct jam){ rewrite, loop, false };
	if (!has_open(&jam))
		return refuse(rewrite, "%s has no loop inside whose bounds are the same for all its iterations",
			      node_name(rewrite, loop));
	return jam_loop(rewrite, loop, action->arg[0].size);
}
