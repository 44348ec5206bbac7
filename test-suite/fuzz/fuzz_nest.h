/* Random nests for the fuzzer: richer than those of support/nest_random.h, and in bounds for any sizes from SIZE_LEAST on.
 *
 * Reductions, windows, triangles, bands, gathers, scatters, rows of sparse matrices, local scalars and arrays, conditions on
 * iterators and on data, integers of all widths. Signed arithmetic never overflows, so that every nest has one meaning in C.
 * Arrays of name "index.." hold subscripts: any value from 0 to below the least extent. */
#ifndef STROP_FUZZ_NEST_H
#define STROP_FUZZ_NEST_H

#include "ir/nest.h"
#include "support/rng.h"

enum { SIZE_LEAST = -1 };

/* The same generator state gives the same nest. */
struct nest *fuzz_nest(struct arena *arena, struct rng *rng);
/* Set what the nest says of the use of its variables (is_read, is_written) to what its statements do. */
void fuzz_nest_set_uses(struct nest *nest);
/* The deepest loop. */
int fuzz_nest_depth(const struct nest *nest);

#endif
