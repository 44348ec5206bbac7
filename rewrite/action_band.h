/* A band of loops that nest perfectly, and the exchange of bounds that another order of them asks for. */
#ifndef STROP_REWRITE_ACTION_BAND_H
#define STROP_REWRITE_ACTION_BAND_H

#include "action_internal.h"
#include "action_sum.h"

enum { BAND_MAX = 16 };

/* Loops that nest perfectly, as they stand now, and the order that they shall have: wanted[d] is the place in "loop" of the
 * loop that goes to depth d. "body" is what is inside.
 *   floating  conditions and declarations of constants that stood between the loops, in text order: they may stand anywhere
 *             inside the loops that they depend on, the innermost of which will be that at depth "settled" */
struct band {
	int n;
	struct node *loop[BAND_MAX];
	int wanted[BAND_MAX];
	int n_floating;
	struct node *floating[BAND_MAX];
	int settled[BAND_MAX];
	struct list body;
};

/* The loop that goes to "depth". */
struct node *band_at(const struct band *band, int depth);
/* Refuse orders in which a tile loop would stand inside the loop that it cuts. */
enum status band_check_tiles(struct rewrite *rewrite, const struct band *band);
/* Give the loops, still in their old places, the bounds that they need in the wanted order, where bounds depend on loops that
 * move inside: those of a triangle, of tiles of a triangle. A reason when they cannot be exchanged. */
enum status band_exchange_bounds(struct rewrite *rewrite, const struct band *band);

#endif
