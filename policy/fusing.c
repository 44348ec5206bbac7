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

/* Fuse one pair of outermost loops; false when none is left that may be. */
static bool fuse_one(struct draft *draft)
{
	const struct shape *shape = draft->shape;
	for (int i = 0; i < shape->n_loop; i++)
		for (int j = i + 1; j < shape->n_loop; j++)
			if (shape->loop[i].depth == 0 && shape->loop[j].depth == 0 && shares_array(shape, i, j) &&
			    draft_try(draft, "fuse(%s, %s)", shape->loop[i].name, shape->loop[j].name))
				return true;
	return false;
}

bool fusing_apply(struct draft *draft)
{
	struct draft trial = *draft;
	int fused = 0;
	turn_bands(&trial);
	while (fused < ROUNDS_MAX && fuse_one(&trial))
		fused++;
	if (fused)
		*draft = trial;
	return fused > 0;
}
