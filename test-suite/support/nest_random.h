/* Random nests for property tests: well formed, and in bounds for any sizes from 1 on.
 *
 * A test includes nest_random.c. The same generator state gives the same nest. */
#ifndef TEST_SUPPORT_NEST_RANDOM_H
#define TEST_SUPPORT_NEST_RANDOM_H

#include <stdbool.h>

#include "ir/nest.h"
#include "support/rng.h"

/* How large and how odd: at most "depth" loops around a statement and "statements" statements; "is_wild" adds what only
 * actions make or what is rarely seen: marks, origins, dotted names, integer arithmetic of all kinds, casts, types and
 * sources that differ from their names. A nest that is not wild has float arrays over i32 params N and M whose
 * extents are N + 2 or M + 2, and can be run and rewritten. */
struct nest_random_options {
	int depth;
	int statements;
	bool is_wild;
};

struct nest *nest_random(struct arena *arena, struct rng *rng, const struct nest_random_options *options);

#endif
