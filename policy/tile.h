/* Register tiles: rows times vectors of sums that stay in registers while the reductions run. */
#ifndef STROP_POLICY_TILE_H
#define STROP_POLICY_TILE_H

#include "roles.h"

/* One way to tile: "rows" x "vectors" accumulators; reductions in blocks of "depth" steps (0: whole); copy what moves along
 * the columns; columns outside rows or the reverse. */
struct tiling {
	int rows, vectors, depth;
	bool is_packed, rows_outside;
};

/* Whether the tiling's sums are locals, so that a tile that would be cut short is made whole by doing some of the work twice. */
bool tile_steps_back(const struct band *band, const struct roles *roles);
/* Add the actions that tile "band" so; false, the draft unchanged, when one that matters is refused. */
bool tile_roles(struct draft *draft, const struct band *band, const struct roles *roles, const struct tiling *tiling);

#endif
