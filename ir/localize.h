/* Scalars that only carry values within an iteration, made local to it.
 *
 * C declares temporaries at the top of a function ("double w;") and reuses them everywhere, which ties iterations and whole
 * loops together for no reason. */
#ifndef STROP_IR_LOCALIZE_H
#define STROP_IR_LOCALIZE_H

#include "nest.h"

/* A copy of "nest" in which each VAR_SCALAR that has no value before and after the region has become a VAR_LOCAL, declared by
 * the assignment that sets it; one for each place where a list sets it anew. A scalar that some list may use before setting
 * it stays as it is. What the nest computes does not change, nor do labels. */
struct nest *nest_localize(const struct nest *nest);

#endif
