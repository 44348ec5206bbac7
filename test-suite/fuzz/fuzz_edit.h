/* Edits that no action would make: any change to the tree, right or wrong, for the validator to judge. */
#ifndef STROP_FUZZ_EDIT_H
#define STROP_FUZZ_EDIT_H

#include "ir/nest.h"
#include "support/rng.h"

/* A copy of "nest" with up to "most" random edits, their names in "*names"; NULL when none fitted. */
struct nest *fuzz_edit(struct arena *arena, struct rng *rng, const struct nest *nest, int most, const char **names);

#endif
