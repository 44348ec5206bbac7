/* Extents by trial: which elements an original touches whose nest is opaque, found by running it.
 *
 * Each array begins where its pointer leads and ends at a page that may not be touched. The least extents with which the original
 * runs are those it touches; they are found by bisection, once for each of two sets of values. Where these decide (a search that
 * ends early), the extent is the least product of params that covers both, and the last of an
 * array of integers is 0, for loops that look for that. */
#ifndef STROP_VERIFIER_PROBE_H
#define STROP_VERIFIER_PROBE_H

#include "build.h"
#include "extent.h"
#include "shape.h"
#include "trial.h"

struct probe;
/* NULL unless the job's nest is opaque. "program" is the original. */
struct probe *probe_new(struct arena *arena, const struct setting *setting, const struct program *program);
struct probe *probe_free(struct probe *probe);
/* Set the boxes of "sized" and its work, one unit being a nanosecond of the original, from its shape. False, with the reason in
 * "failure", when the original does not survive the shape or touches memory before or far behind what it is given. */
bool probe_boxes(struct probe *probe, struct sized *sized, struct extent_failure *failure);

#endif
