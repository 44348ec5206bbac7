/* Sizes as a program has them, made smaller so that timing takes less. */
#ifndef STROP_VERIFIER_SHRINK_H
#define STROP_VERIFIER_SHRINK_H

#include <stdbool.h>

#include "job.h"

/* Make "size" (n of them) one step smaller: half as many repetitions while there are many, since each does the same to the same
 * elements; else each other size by a fifth. Return whether one has changed. */
bool sizes_shrink(const struct nest *nest, int n, struct size *size);

#endif
