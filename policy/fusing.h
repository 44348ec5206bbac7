/* Fusing: make one loop of outermost loops that sweep the same array, so that it comes through the cache once. */
#ifndef STROP_POLICY_FUSING_H
#define STROP_POLICY_FUSING_H

#include "draft.h"

/* Turn each outermost loop to run along memory, then fuse, "size" iterations at a time, those that access the same array of two
 * or more dimensions; false, the draft unchanged, when there are none. */
bool fusing_apply(struct draft *draft, int size);

#endif
