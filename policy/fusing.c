#include "fusing.h"

#include "band.h"

enum { BANDS_MAX = 32, ROUNDS_MAX = 16 };

/* The depth of the cheapest loop to run innermost of those that nest perfectly. */
static int cheapest(const struct band *band)
{
	int best = band->n - 1;
	for (int d = band->n - 2; d >= band->first; d--)
		if (band->loop[d].cost < band->loop[best].cost)
			best = d;
	return best;
}

/* Bring the cheapest loop of each band innermost. */
static void turn_bands(struct draft *draft)
{
	struct band band[BANDS_MAX];
	int n = band_list(draft, 0, band, BANDS_MAX);
	for (int b = 0; b < n; b++) {
		int innermost = cheapest(&band[b]);
		const char *loops = "";
		if (innermost == band[b].n - 1 || band[b].first > 0)
			continue;
		for (int d = 0; d < band[b].n; d++)
			if (d != innermost)
				loops = draft_add_loop(draft, loops, band[b].loop[d].iter, band[b].label);
		draft_try(draft, "order(%s)", draft_add_loop(draft, loops, band[b].loop[innermost].iter, band[b].label));
	}
}

static bool uses_array(const struct shape *shape, int loop, const struct var *var)
{
	for (int s = 0; s < shape->n_stmt; s++)
		for (int a = 0; shape_is_within(shape, s, loop) && a < shape->stmt[s].n_access; a++)
			if (shape->stmt[s].access[a].ref->var == var)
				return true;
	return false;
}

/* Whether both loops access an array of two or more dimensions. */
static bool shares_array(const struct shape *shape, int first, int second)
{
	for (int s = 0; s < shape->n_stmt; s++)
		for (int a = 0; shape_is_within(shape, s, first) && a < shape->stmt[s].n_access; a++) {
			const struct var *var = shape->stmt[s].access[a].ref->var;
			if (var->rank >= 2 && uses_array(shape, second, var))
				return true;
		}
	return false;
}

/* The iterator of the loop around outermost loop "loop" once that is tiled by "size"; its own where it steps so already. */
static const char *tile_outermost(struct draft *draft, int label, const char *iter, int size)
{
	const struct shape *shape = draft->shape;
	int outermost = shape->stmt[shape_find_stmt(shape, label)].loop[0];
	if (shape->loop[outermost].node->step >= size)
		return iter;
	if (!draft_try(draft, "tile(%s:%d)", draft_loop(draft, iter, label), size))
		return NULL;
	return draft_parent(draft, iter, label);
}

/* Tile both outermost loops by "size" and fuse the tile loops: the loops inside keep their names apart. */
static bool fuse_pair(struct draft *draft, int first, int second, int size)
{
	struct draft trial = *draft;
	const struct loop_shape *a = &draft->shape->loop[first], *b = &draft->shape->loop[second];
	const char *outer_a = tile_outermost(&trial, a->label, a->node->iter->name, size);
	const char *outer_b = outer_a ? tile_outermost(&trial, b->label, b->node->iter->name, size) : NULL;
	if (!outer_b ||
	    !draft_try(&trial, "fuse(%s, %s)", draft_loop(&trial, outer_a, a->label), draft_loop(&trial, outer_b, b->label)))
		return false;
	*draft = trial;
	return true;
}

/* Fuse one pair of outermost loops; false when none is left that may be. */
static bool fuse_one(struct draft *draft, int size)
{
	const struct shape *shape = draft->shape;
	for (int i = 0; i < shape->n_loop; i++)
		for (int j = i + 1; j < shape->n_loop; j++)
			if (shape->loop[i].depth == 0 && shape->loop[j].depth == 0 && shape->loop[i].label >= 0 &&
			    shape->loop[j].label >= 0 && shape->loop[i].trip >= size && shares_array(shape, i, j) &&
			    fuse_pair(draft, i, j, size))
				return true;
	return false;
}

bool fusing_apply(struct draft *draft, int size)
{
	struct draft trial = *draft;
	int fused = 0;
	turn_bands(&trial);
	while (fused < ROUNDS_MAX && fuse_one(&trial, size))
		fused++;
	if (fused)
		*draft = trial;
	return fused > 0;
}
