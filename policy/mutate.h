/* Small random steps through the space of plans: one more action, one less, another size. */
#ifndef STROP_POLICY_MUTATE_H
#define STROP_POLICY_MUTATE_H

#include "draft.h"
#include "support/rng.h"

/* Try up to a few dozen random actions on "draft" until one is accepted; false when none was. */
bool mutate_add(struct draft *draft, struct rng *rng);
/* A canonical, legal neighbour of "plan": a size moved to its neighbour in the menu, an action dropped, two swapped, or one
 * added. NULL when a few dozen attempts found none. */
const char *mutate_plan(struct arena *arena, const struct task *task, const char *plan, struct rng *rng);

#endif
