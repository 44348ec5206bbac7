/* Which elements of its arrays a nest may touch, at given sizes. */
#ifndef STROP_IR_EXTENTS_H
#define STROP_IR_EXTENTS_H

#include "interval.h"
#include "nest.h"

/* The subscripts of one array: in dimension d none outside dim[d]. "is_touched" is false, and the dims are empty, when no
 * instance of a statement touches it. A dim is unknown where a subscript depends on data (an element of an array of a
 * type of more than 16 bits, a scalar that the region assigns, a call), or on a param of which "value" knows nothing. */
struct box {
	bool is_touched;
	struct interval *dim;
};

/* A box for each array of "nest" (locals too), in "arena": the answer's entry i belongs to nest->var[i], and has no dims
 * if that is a scalar. "value" gives the params (false: unknown).
 *
 * Subscripts that are affine in iterators are bounded by putting for each iterator, innermost first, the bound that makes
 * them largest or smallest; the conditions of NODE_IF, EXPR_SELECT, && and || under which an access stands, where they
 * are affine, and that its loops are not empty, are used too, each alone. So the box is the smallest for accesses whose
 * bounds and conditions are as they are found in real code, and may be larger else; it is never too small. Arithmetic
 * is taken not to wrap. Other subscripts get the interval of expr_interval(). */
struct box *nest_extents(struct arena *arena, const struct nest *nest,
			 bool (*value)(const struct var *var, int64_t *result, void *context), void *context);

#endif
