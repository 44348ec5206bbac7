/* Bodies whose statements stand in an order that keeps their loop from running in lanes are put into a better one, by "load" and
 * "sort". */
#ifndef STROP_POLICY_STRAIGHTEN_H
#define STROP_POLICY_STRAIGHTEN_H

#include "draft.h"

/* Do so for each innermost loop that can be vectorized then, and could not before. To be called first, for "load" must be. */
void straighten_apply(struct draft *draft);

#endif
