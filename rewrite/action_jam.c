#include "action_internal.h"
#include "action_sum.h"

enum { JAM_MAX = 64 };

/* What is left of jammed iterations: copies of the point loop, each around as few statements as can be. */
struct jam {
	struct rewrite *rewrite;
	const struct node *point;
};

/* A copy of the point loop around "body", run in full. */
static struct node *wrap(const struct jam *jam, const struct list *body)
{
	struct node *loop = node_copy(jam->rewrite->arena, jam->point);

	loop->body = *body;
	loop->marks.unroll = UNROLL_FULL;
	return loop;
}

/* Whether the point loop can stand inside "node" rather than around it: nothing that decides how often the children of
 * "node" run differs between its iterations. */
static bool is_open(const struct jam *jam, const struct node *node)
{
	const struct var *iter = jam->point->iter;

	if (node->kind == NODE_LOOP)
		return !expr_uses(node->lo, iter) && !expr_uses(node->hi, iter);
	return false;
}

/* Move the point loop into "list" as far as it goes: around each run of nodes that it cannot enter. */
static struct list sink(const struct jam *jam, const struct list *list)
{
	struct arena *arena = jam->rewrite->arena;
	struct list result = { 0 }, closed = { 0 };

	for (int i = 0; i < list->n; i++) {
		struct node *node = list->node[i];

		if (!is_open(jam, node)) {
			list_add(arena, &closed, node);
			continue;
		}
		if (closed.n)
			list_add(arena, &result, wrap(jam, &closed));
		closed = (struct list){ 0 };
		node->body = sink(jam, &node->body);
		list_add(arena, &result, node);
	}
	if (closed.n)
		list_add(arena, &result, wrap(jam, &closed));
	return result;
}

/* Whether a loop that the point loop can enter stands in "list". */
static bool has_open(const struct jam *jam, const struct list *list)
{
	for (int i = 0; i < list->n; i++)
		if (is_open(jam, list->node[i]))
			return true;
	return false;
}

/* Give each iteration of the point loop a copy of the locals that its body declares. */
static enum status privatize_all(struct rewrite *rewrite, struct node *point)
{
	for (int i = 0; i < point->body.n; i++) {
		const struct node *child = point->body.node[i];

		if (child->kind != NODE_STMT || !child->declares)
			continue;
		if (privatize_local(rewrite, point, child->target->var) != STATUS_OK)
			return STATUS_FAILED;
		i = -1;
	}
	return STATUS_OK;
}

enum status action_jam(struct rewrite *rewrite, const struct action *action)
{
	struct node *point, *tile;
	struct spot spot;
	struct jam jam;
	struct list sunk;

	if (action->n != 1 || action->arg[0].size < 2 || action->arg[0].size > JAM_MAX)
		return refuse(rewrite, "jam needs a loop and 2 to %d iterations, as in jam(i:4)", JAM_MAX);
	point = rewrite_find_loop(rewrite, &action->arg[0]);
	if (!point)
		return STATUS_FAILED;
	if (point->marks.vector || point->marks.unroll)
		return refuse(rewrite, "%s is already marked; jam it before vectorize and unroll", point->iter->name);
	jam = (struct jam){ rewrite, point };
	if (!has_open(&jam, &point->body))
		return refuse(rewrite, "%s has no loop inside whose bounds are the same for all its iterations",
			      node_name(rewrite, point));
	tile = tile_loop(rewrite, point, action->arg[0].size);
	if (privatize_all(rewrite, point) != STATUS_OK)
		return STATUS_FAILED;
	spot = nest_find_spot(rewrite->nest, point);
	sunk = sink(&jam, &point->body);
	list_remove(&tile->body, spot.at);
	for (int i = 0; i < sunk.n; i++)
		list_insert(rewrite->arena, &tile->body, spot.at + i, sunk.node[i]);
	return scope_check(rewrite) == STATUS_OK ? legal_check(rewrite) : STATUS_FAILED;
}
