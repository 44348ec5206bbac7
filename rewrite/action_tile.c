#include <string.h>

#include "action_internal.h"
#include "action_sum.h"

enum { TILE_SIZE_MAX = 1 << 20 };

static bool runs_over_another(struct node *node, void *context)
{
	return node->kind != NODE_LOOP || strcmp(node->iter->name, context) != 0;
}

/* Whether a loop around "loop" or inside it, or "loop" itself, runs over the variable named "name". */
static bool is_taken(const struct nest *nest, const struct node *loop, const char *name)
{
	struct path path = nest_find_path(nest, loop);

	for (int i = 0; i < path.n; i++)
		if (strcmp(path.loop[i]->iter->name, name) == 0)
			return true;
	return strcmp(loop->iter->name, name) == 0 || !list_walk(&loop->body, runs_over_another, (void *)name);
}

/* The iterator of the next tile of "loop": i.1, i.2, ..; loops apart from each other share it, as they share i. */
static struct var *tile_iterator(struct rewrite *rewrite, const struct node *loop)
{
	for (int number = 1;; number++) {
		const char *name = arena_printf(rewrite->arena, "%s.%d", loop->iter->name, number);
		struct var *var = nest_find_var(rewrite->nest, name);

		if (!var)
			return nest_add_var(rewrite->nest, VAR_ITER, loop->iter->type, name, 0, NULL);
		if (var->kind == VAR_ITER && var->type == loop->iter->type && !is_taken(rewrite->nest, loop, name))
			return var;
	}
}

/* Whether the bound "term" of a loop that starts at "lo" lies a whole number of tiles of "span" after it, so that no tile
 * reaches beyond it. */
static bool is_whole(const struct sum *term, const struct bound *lo, int64_t span)
{
	struct sum difference;
	int64_t constant;

	return lo->n == 1 && sum_add(term, -1, &lo->term[0], &difference) && sum_is_constant(&difference, &constant) &&
	       constant % span == 0;
}

/* min(tile + span, hi), without the terms of hi that no tile reaches. */
static struct expr *point_bound(struct rewrite *rewrite, const struct node *loop, struct expr *tile, int64_t span)
{
	struct arena *arena = rewrite->arena;
	struct expr *end = expr_binary(arena, OP_ADD, tile, expr_int(arena, span, tile->type));
	struct bound lo, hi;
	int kept = 0;

	if (!bound_of(loop->lo, false, &lo) || !bound_of(loop->hi, true, &hi))
		return expr_binary(arena, OP_MIN, end, loop->hi);
	for (int i = 0; i < hi.n; i++)
		if (!is_whole(&hi.term[i], &lo, span))
			hi.term[kept++] = hi.term[i];
	if (kept == hi.n)
		return expr_binary(arena, OP_MIN, end, loop->hi);
	hi.n = kept;
	return kept ? expr_binary(arena, OP_MIN, end, bound_expr(arena, &hi, true, tile->type)) : end;
}

struct node *tile_loop(struct rewrite *rewrite, struct node *loop, int64_t size)
{
	int64_t span = size * loop->step;
	struct spot spot = nest_find_spot(rewrite->nest, loop);
	struct var *iter = tile_iterator(rewrite, loop);
	struct node *tile = node_loop(rewrite->arena, iter, loop->lo, loop->hi, span);
	struct expr *ref = expr_scalar(rewrite->arena, iter);

	loop->hi = point_bound(rewrite, loop, ref, span);
	loop->lo = ref;
	tile->line = loop->line;
	spot.list->node[spot.at] = tile;
	list_add(rewrite->arena, &tile->body, loop);
	return tile;
}

enum status action_tile(struct rewrite *rewrite, const struct action *action)
{
	if (action->n == 0)
		return refuse(rewrite, "tile needs loops with sizes, as in tile(i:64)");
	for (int i = 0; i < action->n; i++) {
		const struct arg *arg = &action->arg[i];
		struct node *loop = rewrite_find_loop(rewrite, arg);

		if (!loop)
			return STATUS_FAILED;
		if (arg->size < 2 || arg->size > TILE_SIZE_MAX)
			return refuse(rewrite, "the tile of %s needs a size from 2 to %d, as in tile(%s:64)", arg->name,
				      TILE_SIZE_MAX, arg->name);
		if (loop->marks.vector || loop->marks.unroll)
			return refuse(rewrite, "%s is already marked; tile it before vectorize and unroll", arg->name);
		tile_loop(rewrite, loop, arg->size);
	}
	return STATUS_OK;
}
