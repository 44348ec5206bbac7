/* Splitting: take loops apart around the statements in them, so that each statement may get an order of its own. */
#ifndef STROP_POLICY_SPLIT_H
#define STROP_POLICY_SPLIT_H

#include "draft.h"

/*   SPLIT_WHOLE    wherever dependences allow it
 *   SPLIT_SKEW     nowhere, but steps that sweep the same arrays again and again take turns over their rows
 *   SPLIT_BAND     by tiling loops that do not nest perfectly together, where splitting leaves a sum among others or in triangles
 *   SPLIT_FUSED    everywhere, then outermost loops that sweep the same array run together, a few iterations at a time
 *   SPLIT_BLOCKED  a few iterations of an outermost loop at a time, so that what the parts share stays in cache
 *   SPLIT_WIDE_BAND  as SPLIT_BAND, with larger tiles
 *   SPLIT_NONE     nowhere */
enum split { SPLIT_WHOLE, SPLIT_SKEW, SPLIT_BAND, SPLIT_FUSED, SPLIT_BLOCKED, SPLIT_WIDE_BAND, SPLIT_NONE, SPLIT_COUNT };

/* Add the actions of "split" to "draft"; where there is nothing to split it stays as it is. */
void split_apply(struct draft *draft, enum split split);

#endif
