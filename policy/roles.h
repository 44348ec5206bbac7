/* The roles that the loops of a band play when its statement sums products into an array. */
#ifndef STROP_POLICY_ROLES_H
#define STROP_POLICY_ROLES_H

#include "band.h"

enum { ROLES_PACKED = 2 };

/* The parts of a contraction's loops, as depths of the band: "column" is the loop along which vectors lie, "row" another
 * that reuses what moves along columns (-1 for none), and the reductions among the loops that nest perfectly. "packed" are the arrays whose rows are
 * not contiguous along the columns and must be copied. */
struct roles {
	int column, row;
	int n_reduction, reduction[SHAPE_DEPTH];
	int n_packed;
	const struct var *packed[ROLES_PACKED];
};

/* The roles in "band"; false when it is not a sum into elements that lie side by side. */
bool roles_find(const struct band *band, struct roles *roles);
/* The load that stands still along "row" and moves along "column"; NULL when there is none. */
const struct access_shape *roles_shared_load(const struct band *band, int row, int column);

#endif
